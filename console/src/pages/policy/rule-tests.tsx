import type { ReactNode } from 'react'
import type { Rules, RuleTest } from '../../api/policy.js'
import { Badge } from '../../ui/badge.js'
import { Empty } from '../../ui/empty.js'
import { BehaviorWord, whereOf } from '../../ui/explained-call.js'
import { Text } from '../../ui/text.js'

const SAMPLE = `permission:
  deny:
    - rule: shell.exec(rm *)
      match: ['rm -rf build']
      not_match: ['npm run build']`

/** The examples of the rules: what each must match and must not match, and whether that holds. */
export function RuleTests({ rules }: { readonly rules: Rules }): ReactNode {
  const tested = rules.items.filter(({ tests = [] }) => tests.length > 0)
  if (tested.length === 0)
    return (
      <Empty title="No rule has examples" command={SAMPLE}>
        A rule can name calls that it must match and calls that it must not match. They are checked whenever
        the rules are read, and listed here.
      </Empty>
    )
  const all = tested.flatMap(({ tests = [] }) => tests)
  const failing = all.filter(({ passes }) => !passes).length
  return (
    <>
      <p role="status">
        {failing === 0
          ? `All ${all.length.toLocaleString()} examples hold.`
          : `${failing.toLocaleString()} of ${all.length.toLocaleString()} examples fail.`}
      </p>
      {tested.map((rule, index) => (
        <section key={index} className="section" aria-label={`${rule.behavior} ${rule.text}`}>
          <h2 className="rule-text">
            <BehaviorWord behavior={rule.behavior} />
            <code>
              <Text>{rule.text}</Text>
            </code>
          </h2>
          <p className="muted">
            <Text>{whereOf({ source: rule.source, file: rule.path, line: rule.line })}</Text>
          </p>
          <ul className="tests">
            {(rule.tests ?? []).map((test, at) => (
              <li key={at}>
                <Badge tone={test.passes ? 'good' : 'bad'}>{test.passes ? 'holds' : 'fails'}</Badge>
                <span>{wordsOf(test)}</span>
                <code>
                  <Text>
                    {typeof test.example === 'string' ? test.example : JSON.stringify(test.example)}
                  </Text>
                </code>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

function wordsOf({ should_match, passes }: RuleTest): string {
  if (should_match) return passes ? 'matches' : 'must match'
  return passes ? 'does not match' : 'must not match'
}
