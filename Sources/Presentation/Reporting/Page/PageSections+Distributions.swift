import Evaluation
import Geometry
import Positioning
import Support

extension PageSections {
  /// Curves that are shown at first: more are hard to distinguish.
  static let firstCurves = 6

  var distributions: PageSection {
    let choices: [HTML] = errors.map { one in
      let place = one.one.place
      let checked: HTML = place < Self.firstCurves ? " checked" : ""
      return """
        <li><label><input type="checkbox" class="curve-choice" value="\(place)"\(checked)>\
        \(PagePalette.swatch(place)) \(HTML.name(one.one.name))</label> <output class="share" data-algorithm="\(place)"></output></li>

        """
    }
    let more: HTML =
      errors.count > Self.firstCurves
      ? "<p class=\"remark script-only\">At first the best \(Self.firstCurves) are shown; tick others to see them.</p>\n"
      : ""
    return PageSection(
      name: "distributions", heading: "Error distributions", short: "Distributions",
      introduction:
        "The share of all questions that were answered with an error below each length. A curve that ends below 100\u{2009}% belongs to an algorithm that refuses.",
      content: """
        <div class="controls script-only">
        <fieldset><legend>Scale</legend>\
        <label><input type="radio" name="scale" value="0" checked> linear</label>
        <label><input type="radio" name="scale" value="1"> logarithmic</label></fieldset>
        <label class="wide">Within <output id="cursor-length">–</output> <input type="range" id="cursor" min="0" max="1000" value="0" aria-label="Length of the error"></label>
        </div>
        <div class="split"><figure>
        \(DistributionChart(errors, isLogarithmic: false).html)\(DistributionChart(errors, isLogarithmic: true).html)</figure>
        <ul class="legend">
        \(choices)</ul></div>
        \(more)
        """)
  }

  /// The answers that are farthest off, each a link to the floor plan.
  var worst: PageSection? {
    let rows: [HTML] = errors.flatMap { one in one.worst.map { row(one, $0) } }
    guard !rows.isEmpty else { return nil }
    return PageSection(
      name: "worst", heading: "Worst answers", short: "Worst",
      introduction: "The answers that are farthest from the truth. Follow one to the floor plan.",
      content: """
        <p class="controls script-only"><label>Algorithm <select id="worst-choice"><option value="">all</option>\(options)</select></label></p>
        <div class="scroll" role="region" tabindex="0" aria-label="Worst answers">
        <table class="sortable" id="worst-table"><caption>The worst answers of each algorithm</caption>
        <thead><tr><th scope="col" class="text">algorithm</th><th scope="col" class="text">\(document.settings.resampled.name)</th><th scope="col" class="number">epoch</th>\
        <th scope="col" class="number">error, m</th><th scope="col" class="number">truth x, y</th><th scope="col" class="number">estimate x, y</th>\
        <th scope="col" class="number">anchors heard</th></tr></thead>
        <tbody>
        \(rows)</tbody></table></div>

        """)
  }

  private func row(_ one: AnswerErrors, _ place: AnswerErrors.Place) -> HTML {
    let trace = document.traces[place.trace]
    let question = trace.questions[place.question]
    let estimate = one.one.answers.outcomes[place.trace][place.question].estimate
    let address = PlanAddress(trace: trace.name, algorithm: one.one.name, epoch: place.question + 1)
    return """
      <tr data-algorithm="\(one.one.place)"><th scope="row" class="text">\(PagePalette.swatch(one.one.place))\(HTML.name(one.one.name))</th>\
      <td class="text">\(HTML.name(trace.name))</td>\
      <td class="number" data-order="\(place.question + 1)"><a href="\(address.fragment)">\(grouped(place.question + 1))</a></td>\
      <td class="number" data-order="\(decimals(place.error, 4))">\(decimals(place.error, 2))</td>\
      <td class="number">\(decimals(question.truth.x, 2)), \(decimals(question.truth.y, 2))</td>\
      <td class="number">\(decimals(estimate?.position.x, 2)), \(decimals(estimate?.position.y, 2))</td>\
      <td class="number" data-order="\(question.anchors)">\(question.anchors)</td></tr>

      """
  }

  /// The algorithms as choices, by their places.
  var options: [HTML] {
    errors.map { "<option value=\"\($0.one.place)\">\($0.one.name)</option>" }
  }
}
