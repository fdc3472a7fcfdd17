const shown = (value, digits = 1) => (value === null ? '–' : value.toFixed(digits))
const MAX_IDS = 5

/** The figures of one set, for people. */
export function sayFigures(name, figures) {
  const { latencyMs: ms, noMatch } = figures
  return [
    `\n${name}: ${figures.queries} queries over ${figures.tools} tools`,
    `  recall@1 ${shown(figures['recall@1'])}   @3 ${shown(figures['recall@3'])}   @5 ${shown(figures['recall@5'])}   @10 ${shown(figures['recall@10'])}   ndcg@10 ${shown(figures['ndcg@10'])}`,
    `  a query takes ${shown(ms.p50, 2)} ms (p50), ${shown(ms.p95, 2)} (p95), ${shown(ms.p99, 2)} (p99), ${shown(ms.max, 2)} at most`,
    `  index made in ${Math.round(figures.indexMs)} ms${figures.readyMs === undefined ? '' : ` and filled in ${Math.round(figures.readyMs)} ms more`}, ${shown(figures.indexMB)} MB; the process has ${figures.processMB} MB`,
    `  answered no-match though the answer was there: ${noMatch.wrongly} (${noMatch.wronglyThoughRankedInFive} of them ranked in five)`,
    `  with the answers taken out: ${shown(noMatch.withoutGold)} % answered no-match; of all no-match answers ${shown(noMatch.precision)} % are right`,
    `  confidence, correct against taken out: AUC ${shown(noMatch.auc, 3)}`,
    '  correct kept   bar      no-match of those without answer   no-match precision',
    ...noMatch.curve.map(
      ({ kept, threshold, noMatch: share, precision }) =>
        `  ${`${kept} %`.padStart(10)}     ${shown(threshold, 3).padEnd(8)} ${`${shown(share)} %`.padStart(18)} ${`${shown(precision)} %`.padStart(28)}`,
    ),
    ...sayIds(figures.unknownGold, 'gold ids are in no line of the tools and count as missed'),
    ...sayIds(figures.repeatedIds, 'lines repeat an id; the first counts'),
  ].join('\n')
}

function sayIds(ids, what) {
  if (!ids) return []
  const some = ids.slice(0, MAX_IDS).join(', ')
  return [`  ${ids.length} ${what}: ${some}${ids.length > MAX_IDS ? ', …' : ''}`]
}

export function sayAblation(rows) {
  const head = [
    'variant'.padEnd(32),
    ...['@1', '@3', '@5', '@10', 'ndcg', 'p50 ms', 'p99 ms', 'changed'].map((each) => each.padStart(8)),
  ]
  const lines = rows.map((row) =>
    [
      row.variant.padEnd(32),
      ...['recall@1', 'recall@3', 'recall@5', 'recall@10', 'ndcg@10'].map((key) =>
        shown(row[key]).padStart(8),
      ),
      ...[row.p50, row.p99].map((ms) => shown(ms, 2).padStart(8)),
      String(row.changed).padStart(8),
    ].join(''),
  )
  return `\n  ${[head.join(''), ...lines].join('\n  ')}`
}
