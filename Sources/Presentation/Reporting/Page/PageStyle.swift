import Geometry

/// The page's style: light and dark as the reader's system has it, on any width, and on paper.
enum PageStyle {
  static let text = colours + layout + tables + charts + plan + small + paper

  private static let colours = """

    :root { color-scheme: light dark; --ink: #1b1f24; --soft: #59636e; --faint: #d6dbe1; --grid: #e7eaee;
      --page: #ffffff; --panel: #f6f8fa; --warn: #9a3412; --warn-page: #fff4ec; --accent: #0a5ea8;
      --wall: #3d444d; --room: #f1f4f8; --halo: #ffffff; \(PagePalette.variables(PagePalette.light)) }
    @media (prefers-color-scheme: dark) { :root { --ink: #e8ebef; --soft: #a2acb8; --faint: #3b434d;
      --grid: #262c33; --page: #14171b; --panel: #1c2127; --warn: #ffb38a; --warn-page: #3a2114;
      --accent: #7cc0ff; --wall: #c3cad3; --room: #1a1f26; --halo: #14171b; \(PagePalette.variables(PagePalette.dark)) } }
    \(PagePalette.classes)

    """

  private static let layout = """
    * { box-sizing: border-box; }
    html { scroll-padding-top: 4rem; -webkit-text-size-adjust: 100%; }
    body { margin: 0 auto; max-width: 76rem; padding: 0 1.5rem 4rem; background: var(--page); color: var(--ink);
      font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
    a { color: var(--accent); }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
    .skip { position: absolute; left: -999rem; }
    .skip:focus { left: 1rem; top: 1rem; background: var(--page); padding: .5rem 1rem; z-index: 3; }
    header { padding: 2.5rem 0 1rem; }
    .kicker { margin: 0; color: var(--soft); font-size: .8rem; letter-spacing: .08em; text-transform: uppercase; }
    h1 { margin: 0 0 1rem; font-size: 2rem; line-height: 1.2; overflow-wrap: anywhere; }
    h2 { margin: 0 0 .25rem; font-size: 1.3rem; line-height: 1.3; }
    .verdict { margin: 0 0 .75rem; font-size: 1.3rem; line-height: 1.4; max-width: 56rem; overflow-wrap: anywhere; }
    .remark, .separation, .introduction { margin: .25rem 0 .75rem; max-width: 52rem; color: var(--soft); overflow-wrap: anywhere; }
    .remark b, .separation b { color: var(--ink); font-weight: 600; }
    .banner { margin: 0 0 1rem; padding: .75rem 1rem; border-radius: 6px; }
    .warning { border-left: 5px solid var(--warn); background: var(--warn-page); color: var(--warn); font-weight: 600; }
    .facts { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 1.25rem 0 0; }
    .facts dt { color: var(--soft); font-size: .8rem; } .facts dd { margin: 0; font-size: 1.05rem; font-variant-numeric: tabular-nums; }
    nav { position: sticky; top: 0; z-index: 2; margin: 0 -1.5rem; padding: .5rem 1.5rem; background: var(--page);
      border-bottom: 1px solid var(--faint); overflow-x: auto; scrollbar-width: none; }
    nav ul { display: flex; gap: .95rem; margin: 0; padding: 0; list-style: none; font-size: .85rem; }
    nav a { text-decoration: none; white-space: nowrap; color: var(--soft); } nav a:hover { color: var(--accent); text-decoration: underline; }
    section { padding: 2.25rem 0 0; }
    footer { margin-top: 3rem; color: var(--soft); font-size: .85rem; }
    .controls { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.1rem; margin: .5rem 0; font-size: .92rem; }
    .controls fieldset { display: flex; gap: .9rem; margin: 0; padding: 0; border: 0; }
    .controls legend { float: left; padding: 0 .9rem 0 0; color: var(--soft); }
    .controls .wide { display: flex; flex: 1 1 14rem; gap: .6rem; align-items: center; }
    .controls .wide output { min-width: 4.2rem; font-variant-numeric: tabular-nums; }
    input[type=range] { flex: 1; width: 100%; min-width: 6rem; accent-color: var(--accent); }
    input[type=checkbox], input[type=radio] { accent-color: var(--accent); }
    select, button { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--faint); border-radius: 6px;
      padding: .25rem .6rem; max-width: 14rem; }
    button:hover, select:hover { border-color: var(--accent); }
    .hidden-label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    .script-only { display: none; } .js .script-only { display: flex; } .js p.script-only, .js svg.script-only { display: block; } .js p.controls { display: flex; }
    .js .no-script { display: none; }
    .split { display: grid; grid-template-columns: minmax(0, 1fr) 17rem; gap: 1.25rem; align-items: start; }
    figure { margin: 0; }
    pre.command { margin: .5rem 0; padding: .75rem 1rem; background: var(--panel); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem; }

    """

  private static let tables = """
    .scroll { overflow-x: auto; margin: .5rem 0 1rem; }
    table { border-collapse: collapse; min-width: min(100%, 46rem); font-size: .92rem; font-variant-numeric: tabular-nums; }
    caption { text-align: left; max-width: calc(100vw - 2rem); padding: .3rem 0; color: var(--soft); font-size: .85rem; }
    th, td { padding: .38rem .7rem; border-bottom: 1px solid var(--grid); text-align: right; vertical-align: middle; }
    th.text, td.text { text-align: left; } tbody th { font-weight: 500; } thead th { font-size: .82rem; font-weight: 600; color: var(--soft);
      border-bottom: 1.5px solid var(--faint); vertical-align: bottom; }
    td.number { white-space: nowrap; } tbody th { overflow-wrap: anywhere; min-width: 9rem; }
    tbody tr:hover { background: var(--panel); }
    thead button { padding: 0; border: 0; background: none; font: inherit; color: inherit; text-align: inherit; cursor: pointer; max-width: none; }
    thead button::after { content: "\\2195"; opacity: .3; padding-left: .25em; }
    [aria-sort=ascending] button::after { content: "\\2191"; opacity: 1; } [aria-sort=descending] button::after { content: "\\2193"; opacity: 1; }
    .swatch { width: 24px; height: 10px; margin-right: .5rem; vertical-align: baseline; }
    .swatch line { stroke: var(--colour); stroke-width: 4; }
    .whisker { display: block; width: 190px; height: 20px; } #claims .whisker { width: 130px; }
    .whisker .scale { stroke: var(--faint); stroke-width: 1; } .whisker .range { stroke: var(--colour); stroke-width: 5; opacity: .38; stroke-linecap: round; }
    .whisker .dot { fill: var(--colour); } .whisker .reference { stroke: var(--ink); stroke-width: 1.2; }
    details > summary { cursor: pointer; margin: .5rem 0; color: var(--accent); overflow-wrap: anywhere; }
    th small { color: var(--soft); font-weight: 400; white-space: nowrap; } .zero { color: var(--soft); opacity: .6; } tr.off { display: none; }

    """

  private static let charts = """
    .chart { display: block; width: 100%; height: auto; }
    .chart text { fill: var(--soft); font-size: 13px; } .chart .grid { stroke: var(--grid); }
    .chart .curve { fill: none; stroke: var(--colour); stroke-width: 2.4; stroke-linejoin: round; }
    .chart .cursor { stroke: var(--ink); stroke-width: 1; stroke-dasharray: 3 3; }
    .js .distribution.off, .js .curve.off { display: none; }
    .legend { margin: 0; padding: 0; list-style: none; font-size: .9rem; }
    .legend li { display: flex; justify-content: space-between; gap: .5rem; padding: .16rem 0; }
    .legend label { display: flex; align-items: baseline; gap: .4rem; overflow-wrap: anywhere; } .legend .swatch { flex: none; margin: 0; } .legend output { color: var(--soft); font-variant-numeric: tabular-nums; white-space: nowrap; }
    html:not(.js) .curve-choice { display: none; }

    """

  private static let plan = """
    .plan { display: block; width: 100%; height: auto; max-height: min(78vh, 56rem); background: var(--page); border: 1px solid var(--faint); border-radius: 6px; }
    .plan text { font-size: 15px; fill: var(--soft); paint-order: stroke; stroke: var(--halo); stroke-width: 4px; stroke-linejoin: round; }
    .plan .grid { stroke: var(--grid); stroke-width: 1; } .plan .bounds { fill: none; stroke: var(--faint); stroke-dasharray: 8 6; stroke-width: 1.5; }
    .plan .room { fill: var(--room); stroke: none; } .plan .room-name { font-size: 17px; letter-spacing: .06em; opacity: .75; }
    .plan .wall { fill: none; stroke: var(--wall); stroke-width: 4; stroke-linejoin: round; stroke-linecap: round; }
    .plan .spot path { fill: none; stroke: var(--soft); stroke-width: 2; }
    .plan .anchor path, .key .anchor-mark { fill: var(--ink); } .plan .scale-bar line { stroke: var(--ink); stroke-width: 3; }
    .plan.nameless .label { display: none; }
    .truth-path { fill: none; stroke: var(--ink); stroke-width: 2; opacity: .35; stroke-linejoin: round; }
    .cloud { fill: none; stroke: var(--colour); stroke-width: 7; stroke-linecap: round; opacity: .4; }
    .cloud.dense { stroke-width: 4; opacity: .25; }
    .joined { fill: none; stroke: var(--colour); stroke-width: 1.4; opacity: .55; stroke-linejoin: round; }
    .ellipse, .key .ellipse-mark { fill: var(--colour); fill-opacity: .13; stroke: var(--colour); stroke-width: 1.6; }
    .miss { stroke: var(--colour); stroke-width: 3; } .now { fill: var(--colour); stroke: var(--halo); stroke-width: 2.5; }
    .truth-now, .key .truth-mark { fill: var(--halo); stroke: var(--ink); stroke-width: 3.5; } .key .truth-mark { stroke-width: 2.5; }
    .key { --colour: var(--c0); margin: 0 0 .75rem; color: var(--soft); font-size: .82rem; } .key span { display: inline-flex; gap: .35rem; align-items: center; margin-right: .9rem; }
    .key svg { width: 20px; height: 14px; overflow: visible; } .key .estimate-mark { fill: var(--colour); }
    .readout { font-size: .9rem; } .readout dl { display: grid; grid-template-columns: auto 1fr; gap: .15rem .8rem; margin: 0; }
    .readout dt { color: var(--soft); } .readout dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
    .readout .who { grid-column: 1 / -1; margin-top: .7rem; padding-top: .5rem; border-top: 1px solid var(--faint); color: var(--ink); font-weight: 600; }
    .readout .big { font-size: 1.15rem; font-weight: 600; }
    .timeline { width: 100%; height: 90px; cursor: crosshair; touch-action: pan-y; }
    .timeline * { vector-effect: non-scaling-stroke; } .timeline .error { fill: none; stroke: var(--colour); stroke-width: 1.8; stroke-linejoin: round; }
    .timeline .refused { stroke: var(--warn); stroke-width: 2; } .timeline .base-line { stroke: var(--faint); } .timeline .here { stroke: var(--ink); stroke-width: 1.5; }
    .timeline-note { margin: 0; color: var(--soft); font-size: .82rem; }

    """

  private static let small = """
    @media (max-width: 56rem) { .split { grid-template-columns: minmax(0, 1fr); } }
    @media (max-width: 40rem) {
      body { padding: 0 1rem 3rem; } nav { margin: 0 -1rem; padding: .5rem 1rem; } header { padding-top: 1.5rem; }
      h1 { font-size: 1.6rem; } .verdict { font-size: 1.12rem; }
      .chart text { font-size: 23px; } .chart .minor, .chart .unit { display: none; } .plan text { font-size: 30px; } .plan .room-name { font-size: 32px; }
      .plan .anchor path { stroke: var(--ink); stroke-width: 9; } .plan .spot path { stroke-width: 5; } .now { r: 15px; } .truth-now { r: 13px; stroke-width: 6; } .whisker { width: 130px; } th, td { padding: .38rem .5rem; }
      .cloud { stroke-width: 11; } .truth-path { stroke-width: 4; }
    }

    """

  private static let paper = """
    @media print { :root { color-scheme: light; } nav, .controls, .skip, .timeline, .timeline-note { display: none !important; }
      body { max-width: none; padding: 0; font-size: 10pt; } section { break-inside: avoid-page; } .scroll { overflow: visible; }
      table { font-size: 8pt; } th, td { padding: .2rem .35rem; } thead button::after { content: ""; } }

    """
}
