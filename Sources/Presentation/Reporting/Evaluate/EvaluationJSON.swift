package import Evaluation
import Geometry
import NumericalMethods
import Positioning
package import Support

/// An evaluation as one JSON document; docs/evaluation.md lists the keys.
package struct EvaluationJSON {
  private let document: EvaluationDocument
  private var board: Leaderboard { document.leaderboard }

  package init(_ document: EvaluationDocument) { self.document = document }

  package var value: JSONValue {
    let settings = document.settings
    return .object([
      "epochs": .integer(board.scores.first?.statistics.asked ?? 0),
      "traces": .integer(document.traces.count),
      "epoch": .string(settings.epoch),
      "window": settings.window.map(JSONValue.string) ?? .null,
      "levels": .string(settings.levels), "truth_at": .string(settings.truthAt),
      "clock_offset": .string(settings.clockOffset), "dimensions": .string(settings.dimensions),
      "height": settings.height.map(JSONValue.string) ?? .null,
      "in_sample": .boolean(settings.separation == .inSample),
      "in_sample_share": .optional(settings.sharedShare),
      "cross_validated": .boolean(settings.separation == .crossValidated),
      "cross_validation": settings.crossValidation.map(JSONValue.string) ?? .null,
      "resampled": .string(settings.resampled.name), "interval_block_s": block,
      "ranked_by": .string(board.figure.rawValue),
      "algorithms": .array(board.scores.map { ScoreJSON(score: $0).value }),
      "comparisons": .array(board.comparisons.map(comparison)),
      "best": .object([
        "names": .array(board.verdict.best.map(JSONValue.string)),
        "reason": board.verdict.reason
          .map { .string($0.description(of: settings.resampled)) } ?? .null,
        "rarely_answering": .array(board.verdict.rarelyAnswering.map(JSONValue.string)),
        "with_hindsight": .array(board.verdict.withHindsight.map(JSONValue.string)),
        "level": .number(board.verdict.level),
        "needed": board.verdict.needed?.count.map { .integer($0) } ?? .null,
        "needed_at_least": board.verdict.needed?.least.map { .integer($0) } ?? .null,
      ]),
      "baselines": .array(
        board.baselines.map { baseline in
          .object([
            "baseline": .string(baseline.baseline),
            "beaten_by": .array(baseline.beatenBy.map(JSONValue.string)),
          ])
        }),
      "matched": matched, "against": changes, "notes": .array(document.notes.map(JSONValue.string)),
    ])
  }

  private var block: JSONValue {
    guard case .blocks(let length) = document.settings.resampled else { return .null }
    return .number(Double(length) / 1e9)
  }

  private func comparison(_ comparison: PairedComparison) -> JSONValue {
    .object([
      "first": .string(comparison.first), "second": .string(comparison.second),
      "figure": .string(comparison.figure.rawValue),
      "common_epochs": .integer(comparison.commonEpochs),
      "common_traces": .integer(comparison.commonTraces),
      "median_difference_m": .optional(comparison.medianDifference),
      "mean_of_traces_m": .optional(comparison.meanOfTraces),
      "effect_m": .optional(comparison.effect), "ci95": json(comparison.interval),
      "p": .optional(comparison.p), "p_adjusted": .optional(comparison.adjusted),
      "significant": .boolean(comparison.isSignificant(at: board.verdict.level)),
    ])
  }

  private var changes: JSONValue {
    guard let changes = document.changes else { return .null }
    return .object([
      "file": .string(changes.earlier), "figure": .string(changes.figure.rawValue),
      "only_before": .array(changes.onlyBefore.map(JSONValue.string)),
      "only_now": .array(changes.onlyNow.map(JSONValue.string)),
      "algorithms": .array(
        changes.changes.map { change in
          .object([
            "name": .string(change.name), "before_m": .optional(change.before),
            "after_m": .optional(change.after), "common_traces": .integer(change.commonTraces),
            "effect_m": .optional(change.effect), "ci95": json(change.interval),
            "p_adjusted": .optional(change.p),
            "significant": .boolean(change.isSignificant(at: board.verdict.level)),
          ])
        }),
    ])
  }

  private var matched: JSONValue {
    guard let matched = board.matched else { return .null }
    return .object([
      "epochs": .integer(matched.epochs), "traces": .integer(matched.traces),
      "left_out": .array(matched.leftOut.map(JSONValue.string)),
      "algorithms": .array(
        matched.rows.map { row in
          .object([
            "name": .string(row.name), "error_m": json(row.errors), "ci95": json(row.intervals),
          ])
        }),
    ])
  }
}

/// One algorithm's figures.
private struct ScoreJSON {
  let score: Score

  var value: JSONValue {
    .object([
      "name": .string(score.name), "causal": .boolean(score.isCausal),
      "answered": .integer(score.statistics.answered),
      "availability": .number(score.statistics.availability),
      "error_m": json(score.statistics.errors), "ci95": json(score.intervals),
      "refused": counts(score.refusals.map { ($0.key.description, $0.value) }),
      "without_covariance": counts(score.withoutCovariance.map { ($0.key.description, $0.value) }),
      "dependence": score.dependence.map { dependence in
        .object([
          "lag_one_correlation": .number(dependence.lagOne), "pairs": .integer(dependence.pairs),
          "effective_epochs": .number(dependence.effectiveAnswers),
        ])
      } ?? .null,
      "bias_m": score.vector.map { .array([.number($0.biasX), .number($0.biasY)]) } ?? .null,
      "error_covariance_m2": score.vector?.covariance.map(json) ?? .null,
      "along_track_m": score.track.map { moments($0.alongMean, $0.alongRMS) } ?? .null,
      "across_track_m": score.track.map { moments($0.acrossMean, $0.acrossRMS) } ?? .null,
      "vertical_m": json(score.vertical?.size),
      "vertical_bias_m": .optional(score.vertical?.bias),
      "spherical_m": json(score.spherical), "zones": zones, "latency_s": latency,
      "update_rate_hz": .optional(score.updateRate),
      "claims": score.claims.map(claims) ?? .null,
      "claims_in_space": score.spaceClaims.map(claims) ?? .null, "efficiency": efficiency,
      "iso18305": iso, "evaal": evaal,
      "traces": .array(
        score.traces.map { trace in
          .object([
            "name": .string(trace.name), "epochs": .integer(trace.statistics.asked),
            "answered": .integer(trace.statistics.answered),
            "error_m": json(trace.statistics.errors),
          ])
        }),
    ])
  }

  private func counts(_ counts: [(String, Int)]) -> JSONValue {
    .object(Dictionary(uniqueKeysWithValues: counts.map { ($0.0, JSONValue.integer($0.1)) }))
  }

  private func moments(_ mean: Double, _ rms: Double) -> JSONValue {
    .object(["mean": .optional(mean), "rms": .optional(rms)])
  }

  /// The figures under the standard's names.
  private var iso: JSONValue {
    .array(
      ISO18305(score).figures.map { figure in
        .object([
          "name": .string(figure.name), "here": .string(figure.ourName),
          "unit": .string(figure.unit), "value": .optional(figure.value),
        ])
      })
  }

  private var evaal: JSONValue {
    let scores = EvAAL(score)
    return .object([
      "third_quartile_m": .optional(scores.thirdQuartile),
      "score_2013": .optional(scores.score2013),
    ])
  }

  private var zones: JSONValue {
    guard let zones = score.zones else { return .null }
    return .object([
      "names": .array(zones.zones.map(JSONValue.string)), "rate": .optional(zones.rate),
      "ci95": json(zones.interval),
      "confusion": .array(zones.counts.map { .array($0.map(JSONValue.integer)) }),
      "unanswered": .array(zones.unanswered.map(JSONValue.integer)),
    ])
  }

  private var latency: JSONValue {
    guard let latency = score.latency else { return .null }
    return .object([
      "median_age": .optional(latency.medianAge), "p95_age": .optional(latency.p95Age),
      "lag": latency.lag.map { lag in
        .object([
          "offset": .optional(lag.offset), "ci95": json(lag.interval),
          "rms_before_m": .optional(lag.rmsBefore), "rms_after_m": .optional(lag.rmsAfter),
          "at_the_end": .boolean(lag.isAtTheEnd),
        ])
      } ?? .null,
    ])
  }

  private func claims(_ claims: ClaimedUncertainty) -> JSONValue {
    .object([
      "count": .integer(claims.count), "singular": .integer(claims.singular),
      "mean_nees": .optional(claims.meanNEES), "median_nees": .optional(claims.medianNEES),
      "coverage": .array(
        claims.coverages.map { coverage in
          .object([
            "claimed": .number(coverage.claimed), "share": .optional(coverage.share),
            "held": .integer(coverage.held),
            "ci95": .array([.number(coverage.exact.lower), .number(coverage.exact.upper)]),
            "ci95_over_traces": json(coverage.byTrace),
          ])
        }),
    ])
  }

  private var efficiency: JSONValue {
    guard let efficiency = score.efficiency else { return .null }
    return .object([
      "epochs": .integer(efficiency.count), "share": .optional(efficiency.share),
      "bound_rms_m": .optional(efficiency.boundRMS), "rms_m": .optional(efficiency.rms),
      "mean_square": .optional(efficiency.meanSquare), "median": .optional(efficiency.median),
      "ci95": json(efficiency.interval),
    ])
  }
}

private func json(_ errors: ErrorSummary?) -> JSONValue {
  .object([
    "mean": .optional(errors?.mean), "rms": .optional(errors?.rms),
    "median": .optional(errors?.median), "p67": .optional(errors?.p67),
    "p75": .optional(errors?.p75), "p90": .optional(errors?.p90), "p95": .optional(errors?.p95),
    "max": .optional(errors?.max),
  ])
}

private func json(_ intervals: ErrorIntervals) -> JSONValue {
  .object([
    "mean": json(intervals.mean), "median": json(intervals.median), "p75": json(intervals.p75),
    "p95": json(intervals.p95),
  ])
}

private func json(_ outcome: IntervalOutcome) -> JSONValue {
  .optional(outcome.interval)
}

private func json(_ covariance: Covariance) -> JSONValue {
  guard let vertical = covariance.vertical else {
    return .array([
      .array([.optional(covariance.xx), .optional(covariance.xy)]),
      .array([.optional(covariance.xy), .optional(covariance.yy)]),
    ])
  }
  return .array([
    .array([.optional(covariance.xx), .optional(covariance.xy), .optional(vertical.xz)]),
    .array([.optional(covariance.xy), .optional(covariance.yy), .optional(vertical.yz)]),
    .array([.optional(vertical.xz), .optional(vertical.yz), .optional(vertical.zz)]),
  ])
}
