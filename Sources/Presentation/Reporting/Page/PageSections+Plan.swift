import Evaluation
import Support

extension PageSections {
  var plan: PageSection {
    let thinned: HTML =
      stride > 1
      ? "<p class=\"remark\">So that the page opens quickly, the floor plan shows one question in \(stride) of each trace, and the worst answers. All figures are from all \(grouped(document.questionCount)) questions.</p>\n"
      : ""
    let traces: [HTML] = document.traces.enumerated().map { index, trace in
      "<option value=\"\(index)\">\(trace.name)</option>"
    }
    return PageSection(
      name: "plan", heading: "Floor plan", short: "Floor plan",
      introduction:
        "Where the target was, and where each algorithm thought it was. Ellipses hold the truth with 95\u{2009}% where the claim is right.",
      content: """
        \(thinned)<p class="remark no-script">The answers on the plan need JavaScript; everything else on this page does not.</p>
        <div class="controls script-only">
        <label>Trace <select id="plan-trace">\(traces)</select></label>
        <label>Algorithm <select id="plan-algorithm">\(options)</select></label>
        <label>beside <select id="plan-beside"><option value="-1">none</option>\(options)</select></label>
        <label><input type="checkbox" id="plan-all" checked> all answers</label>
        <label><input type="checkbox" id="plan-joined"> joined in time</label>
        <label><input type="checkbox" id="plan-names"\(document.site.anchors.count <= 16 ? " checked" : "" as HTML)> names</label>
        </div>
        <div class="split"><figure>
        \(PlanPicture(site: document.site, view: PlanView(document)).html)</figure>
        <div class="readout">
        <p class="key" aria-hidden="true">\(key)</p>
        <dl id="plan-readout" aria-live="polite"></dl></div></div>
        <div class="controls epoch script-only">
        <button type="button" id="plan-back" aria-label="Epoch before">◀</button>
        <button type="button" id="plan-play" aria-pressed="false">Play</button>
        <button type="button" id="plan-forward" aria-label="Next epoch">▶</button>
        <label class="wide"><span class="hidden-label">Epoch</span><input type="range" id="plan-epoch" min="0" max="0" value="0"></label>
        </div>
        <svg class="timeline script-only" id="plan-timeline" viewBox="0 0 1000 90" preserveAspectRatio="none" role="img" aria-label="Error of the chosen algorithm over the trace"></svg>
        <p class="timeline-note script-only" id="plan-timeline-note"></p>

        """)
  }

  private var key: HTML {
    """
    <span><svg viewBox="0 0 20 14"><path class="anchor-mark" d="M10 1 L17 13 L3 13 Z"/></svg>anchor</span>
    <span><svg viewBox="0 0 20 14"><circle class="truth-mark" cx="10" cy="7" r="5"/></svg>truth</span>
    <span><svg viewBox="0 0 20 14"><circle class="estimate-mark" cx="10" cy="7" r="5"/></svg>answer</span>
    <span><svg viewBox="0 0 20 14"><ellipse class="ellipse-mark" cx="10" cy="7" rx="9" ry="5"/></svg>95\u{2009}% ellipse</span>
    """
  }
}
