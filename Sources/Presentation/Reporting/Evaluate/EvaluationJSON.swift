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
    return [
      "epochs": board.scores.first?.statistics.asked ?? 0, "traces": document.traces.count,
      "epoch": settings.epoch, "window": settings.window,
      "levels": settings.levels, "truth_at": settings.truthAt,
      "clock_offset": settings.clockOffset, "dimensions": settings.dimensions,
      "height": settings.height, "in_sample": settings.separation == .inSample,
      "in_sample_share": settings.sharedShare,
      "cross_validated": settings.crossValidation != nil,
      "cross_validation": settings.crossValidation,
      "resampled": settings.resampled.name, "interval_block_s": block,
      "ranked_by": board.figure.rawValue, "equivalence_margin_m": settings.margin,
      "algorithms": board.scores.map { ScoreJSON(score: $0).json },
      "comparisons": board.comparisons.map(comparison),
      "best": .object([
        "names": board.verdict.best,
        "reason": board.verdict.reason?.description(of: settings.resampled),
        "rarely_answering": board.verdict.rarelyAnswering,
        "with_hindsight": board.verdict.withHindsight, "level": board.verdict.level,
        "needed": board.verdict.needed?.count,
        "needed_at_least": board.verdict.needed?.least,
      ]),
      "baselines": board.baselines.map { baseline -> JSONValue in
        [
          "baseline": baseline.baseline, "beaten_by": baseline.beatenBy,
          "comparisons": baseline.comparisons.map(comparison),
        ]
      },
      "mixed_model": board.mixed.map(mixed), "matched": matched, "against": changes,
      "notes": document.notes,
    ]
  }

  private var block: JSONValue {
    guard case .blocks(let length) = document.settings.resampled else { return .null }
    return .number(Double(length) / 1e9)
  }

  private func comparison(_ comparison: PairedComparison) -> JSONValue {
    [
      "first": comparison.first, "second": comparison.second, "figure": comparison.figure.rawValue,
      "common_epochs": comparison.commonEpochs, "common_traces": comparison.commonTraces,
      "median_difference_m": comparison.medianDifference,
      "mean_of_traces_m": comparison.meanOfTraces,
      "effect_m": comparison.effect, "ci95": comparison.interval,
      "p": comparison.p, "p_adjusted": comparison.adjusted,
      "significant": comparison.isSignificant(at: board.verdict.level),
      "equivalence": equivalence(comparison.equivalence),
    ]
  }

  private func mixed(_ comparison: MixedComparison) -> JSONValue {
    [
      "first": comparison.first, "second": comparison.second, "figure": board.figure.rawValue,
      "cells": comparison.cells, "ratio": comparison.ratio, "ci95": comparison.interval,
      "degrees_of_freedom": comparison.degreesOfFreedom, "p": comparison.p,
      "p_adjusted": comparison.adjusted,
      "components": comparison.components.map { component -> JSONValue in
        [
          "factor": component.factor?.rawValue ?? "residual",
          "of_algorithm": component.isOfAlgorithm, "log_sd": component.deviation,
          "ci95": component.interval,
        ]
      },
    ]
  }

  private func equivalence(_ test: EquivalenceTest?) -> JSONValue {
    guard let test else { return .null }
    return [
      "outcome": test.outcome(at: board.verdict.level).rawValue,
      "p_equivalent": test.equivalent, "p_not_worse": test.notWorse, "p_worse": test.worse,
    ]
  }

  private var changes: JSONValue {
    guard let changes = document.changes else { return .null }
    return [
      "file": changes.earlier, "figure": changes.figure.rawValue, "only_before": changes.onlyBefore,
      "only_now": changes.onlyNow,
      "algorithms": changes.changes.map { change -> JSONValue in
        [
          "name": change.name, "before_m": change.before,
          "after_m": change.after, "common_traces": change.commonTraces,
          "effect_m": change.effect, "ci95": change.interval, "p_adjusted": change.p,
          "significant": change.isSignificant(at: board.verdict.level),
          "equivalence": equivalence(change.equivalence),
        ]
      },
    ]
  }

  private var matched: JSONValue {
    guard let matched = board.matched else { return .null }
    return [
      "epochs": matched.epochs, "traces": matched.traces, "left_out": matched.leftOut,
      "algorithms": matched.rows.map { row -> JSONValue in
        ["name": row.name, "error_m": figures(of: row.errors), "ci95": row.intervals]
      },
    ]
  }
}

/// One algorithm's figures.
private struct ScoreJSON {
  let score: Score

  var json: JSONValue {
    [
      "name": score.name, "causal": score.isCausal, "answered": score.statistics.answered,
      "availability": score.statistics.availability,
      "error_m": figures(of: score.statistics.errors), "ci95": score.intervals,
      "refused": counts(score.refusals.map { ($0.key.description, $0.value) }),
      "without_covariance": counts(score.withoutCovariance.map { ($0.key.description, $0.value) }),
      "dependence": score.dependence.map { dependence -> JSONValue in
        [
          "lag_one_correlation": dependence.lagOne, "pairs": dependence.pairs,
          "effective_epochs": dependence.effectiveAnswers,
        ]
      },
      "bias_m": score.vector.map { [$0.biasX, $0.biasY] },
      "error_covariance_m2": score.vector?.covariance,
      "along_track_m": score.track.map { moments($0.alongMean, $0.alongRMS) },
      "across_track_m": score.track.map { moments($0.acrossMean, $0.acrossRMS) },
      "vertical_m": figures(of: score.vertical?.size), "vertical_bias_m": score.vertical?.bias,
      "spherical_m": figures(of: score.spherical), "zones": zones, "floors": floors,
      "latency_s": latency,
      "update_rate_hz": score.updateRate, "claims": score.claims.map(claims),
      "claims_in_space": score.spaceClaims.map(claims), "efficiency": efficiency,
      "proper_scores": proper, "cdf": distribution,
      "iso18305": iso, "evaal": evaal,
      "traces": score.traces.map { trace -> JSONValue in
        [
          "name": trace.name, "epochs": trace.statistics.asked,
          "answered": trace.statistics.answered, "error_m": figures(of: trace.statistics.errors),
        ]
      },
    ]
  }

  private func counts(_ counts: [(String, Int)]) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: counts)
  }

  private func moments(_ mean: Double, _ rms: Double) -> JSONValue {
    ["mean": mean, "rms": rms]
  }

  /// The figures under the standard's names.
  private var iso: [JSONValue] {
    ISO18305(score).figures.map { figure in
      [
        "name": figure.name, "here": figure.ourName, "unit": figure.unit, "value": figure.value,
        "ci95": figure.interval,
      ]
    }
  }

  private var evaal: JSONValue {
    let scores = EvAAL(score)
    return ["third_quartile_m": scores.thirdQuartile, "score_2013": scores.score2013]
  }

  private var zones: JSONValue {
    guard let zones = score.zones else { return .null }
    return [
      "names": zones.zones, "rate": zones.rate, "ci95": zones.interval,
      "confusion": zones.counts,
      "unanswered": zones.unanswered,
    ]
  }

  private var floors: JSONValue {
    guard let floors = score.floors else { return .null }
    return [
      "names": floors.floors, "floor_right": floors.all.rate, "ci95": floors.all.interval,
      "confusion": floors.counts, "unanswered": floors.unanswered,
      "penalised_m": figures(of: floors.all.penalised),
      "error_on_right_floor_m": figures(of: floors.onRightFloor),
      "claims": floors.claims.map { claim -> JSONValue in
        ["at_least": claim.least, "answered": claim.answered, "right": claim.rate]
      },
      "by_levels": floors.byLevels.map(condition),
      "by_distance_m": floors.byDistance.map(condition),
      "rich": floors.rich.map(condition),
    ]
  }

  private func condition(_ condition: FloorCondition) -> JSONValue {
    [
      "from": condition.limits?.lowerBound, "to": condition.limits?.upperBound,
      "asked": condition.asked, "answered": condition.answered, "floor_right": condition.rate,
      "ci95": condition.interval, "error_m": figures(of: condition.errors),
      "penalised_m": figures(of: condition.penalised),
    ]
  }

  private var latency: JSONValue {
    guard let latency = score.latency else { return .null }
    return [
      "median_age": latency.medianAge, "p95_age": latency.p95Age,
      "lag": latency.lag.map { lag -> JSONValue in
        [
          "offset": lag.offset, "ci95": lag.interval,
          "rms_before_m": lag.rmsBefore, "rms_after_m": lag.rmsAfter, "at_the_end": lag.isAtTheEnd,
        ]
      },
    ]
  }

  private func claims(_ claims: ClaimedUncertainty) -> JSONValue {
    [
      "count": claims.count, "singular": claims.singular,
      "mean_nees": claims.meanNEES, "median_nees": claims.medianNEES,
      "coverage": claims.coverages.map { coverage -> JSONValue in
        [
          "claimed": coverage.claimed, "share": coverage.share, "held": coverage.held,
          "ci95": coverage.exact,
          "ci95_over_traces": coverage.byTrace,
        ]
      },
    ]
  }

  private var proper: JSONValue {
    guard let proper = score.proper else { return .null }
    return [
      "count": proper.count, "log": proper.log, "log_ci95": proper.logInterval,
      "energy_m": proper.energy, "energy_ci95_m": proper.energyInterval,
    ]
  }

  private var distribution: JSONValue {
    guard let points = score.distribution?.points else { return .null }
    return [
      "length_m": points.map(\.length), "share": points.map(\.share),
      "ci95": points.map(\.interval),
    ]
  }

  private var efficiency: JSONValue {
    guard let efficiency = score.efficiency else { return .null }
    return [
      "epochs": efficiency.count, "share": efficiency.share,
      "bound_rms_m": efficiency.boundRMS, "rms_m": efficiency.rms,
      "mean_square": efficiency.meanSquare, "median": efficiency.median,
      "ci95": efficiency.interval,
    ]
  }
}

private func figures(of errors: ErrorSummary?) -> JSONValue {
  [
    "mean": errors?.mean, "rms": errors?.rms, "median": errors?.median, "p67": errors?.p67,
    "p75": errors?.p75, "p90": errors?.p90, "p95": errors?.p95, "max": errors?.max,
  ]
}

extension ErrorIntervals: JSONEncodable {
  package var json: JSONValue { ["mean": mean, "median": median, "p75": p75, "p95": p95] }
}

extension IntervalOutcome: JSONEncodable {
  package var json: JSONValue { interval.json }
}

extension Interval: JSONEncodable {
  package var json: JSONValue { [lower, upper].json }
}

extension Covariance: JSONEncodable {
  package var json: JSONValue {
    guard let vertical else { return [[xx, xy], [xy, yy]].json }
    return [
      [xx, xy, vertical.xz], [xy, yy, vertical.yz], [vertical.xz, vertical.yz, vertical.zz],
    ].json
  }
}
