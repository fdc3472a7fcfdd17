/** The counts of all legs in one table, then everything that did not pass. */
export function printLegs(legs, { expected, unexpected, stale }) {
  const rows = legs.map(({ leg, revision, scenarios }) => {
    const counted = (list) =>
      `${list.filter((scenario) => scenario.failures.length === 0).length}/${list.length}`
    const scored = scenarios.filter((scenario) => scenario.scored)
    const others = scenarios.filter((scenario) => !scenario.scored)
    const checks = scenarios.reduce((sum, scenario) => sum + scenario.passed, 0)
    const warnings = scenarios.reduce((sum, scenario) => sum + scenario.warnings.length, 0)
    return [leg, revision, counted(scored), counted(others), String(checks), String(warnings)]
  })
  printTable([['leg', 'revision', 'required', 'not scored', 'checks passed', 'warnings'], ...rows])
  for (const { leg, scenarios } of legs)
    for (const scenario of scenarios) {
      const title = `${leg} ${scenario.name}${scenario.scored ? '' : ' (not scored)'}`
      for (const line of scenario.failures) console.log(`✗ ${title}: ${line}`)
      for (const line of scenario.warnings) console.log(`! ${title}: ${line}`)
    }
  if (expected.length > 0) console.log(`${expected.length} expected failures, see expected-failures.yaml.`)
  for (const entry of stale)
    console.log(
      `${entry.leg} ${entry.revision} ${entry.scenario} passes: take it out of expected-failures.yaml.`,
    )
  console.log(
    unexpected.length === 0 ? 'No unexpected failure.' : `${unexpected.length} unexpected failures.`,
  )
}

function printTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column])).join('  '))
}
