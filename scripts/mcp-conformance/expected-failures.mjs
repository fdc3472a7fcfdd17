import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** The known failures: which leg, revision and scenario, and why. */
export function loadExpectedFailures() {
  const path = new URL('expected-failures.yaml', import.meta.url)
  const listed = parse(readFileSync(path, 'utf8')) ?? []
  for (const entry of listed)
    if (!entry.reason) throw new Error(`${entry.scenario} in expected-failures.yaml lacks a reason.`)
  return listed
}

/** What failed unexpectedly, and what was expected to fail but passed. */
export function judgeLegs(legs, expected) {
  const isExpected = (leg, scenario) =>
    expected.some(
      (entry) => entry.leg === leg.leg && entry.revision === leg.revision && entry.scenario === scenario.name,
    )
  const all = legs.flatMap((leg) => leg.scenarios.map((scenario) => ({ leg, scenario })))
  const failed = all.filter(({ scenario }) => scenario.failures.length > 0)
  const ran = (entry) => legs.some((leg) => leg.leg === entry.leg && leg.revision === entry.revision)
  const stillFails = (entry) =>
    failed.some(
      ({ leg, scenario }) =>
        leg.leg === entry.leg && leg.revision === entry.revision && scenario.name === entry.scenario,
    )
  return {
    failed,
    expected: failed.filter(({ leg, scenario }) => isExpected(leg, scenario)),
    unexpected: failed.filter(({ leg, scenario }) => scenario.scored && !isExpected(leg, scenario)),
    stale: expected.filter((entry) => ran(entry) && !stillFails(entry)),
  }
}
