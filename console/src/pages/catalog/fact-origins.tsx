import type { ReactNode } from 'react'
import type { FactName, Facts } from '../../api/types.js'
import { Badge, factWords } from '../../ui/badge.js'

const ORIGINS: Readonly<Record<string, string>> = {
  declared: 'The source declares this.',
  inferred: 'Inferred from the kind of the tool or its definition.',
  default: 'Nobody declares this. The strictest value is assumed.',
}

const SHORT: Readonly<Record<string, string>> = {
  'reads only': 'reads',
  'can destroy': 'destroys',
  'reaches outside': 'outside',
  'may reach outside': 'outside?',
  'may destroy': 'destroys?',
  'may write': 'writes?',
  'asks a person': 'person',
}

/** Facts in one word each. Declared facts are filled, inferred ones are outlined, assumed ones have a dashed outline. */
export function FactOrigins({ facts }: { readonly facts: Facts }): ReactNode {
  return (
    <span className="badges fact-origins">
      {factWords(facts, undeclaredOf(facts)).map(({ fact, words, tone }) => {
        const origin = facts.origins[fact] ?? 'default'
        return (
          <span key={fact} className={`fact-origin ${origin}`} title={`${words}. ${ORIGINS[origin]}`}>
            <Badge tone={tone}>
              {SHORT[words] ?? words}
              {origin !== 'declared' && <span className="visually-hidden"> ({originWords(origin)})</span>}
            </Badge>
          </span>
        )
      })}
    </span>
  )
}

const QUESTIONS: readonly (readonly [FactName, string])[] = [
  ['is_read_only', 'Only reads'],
  ['is_destructive', 'Can destroy'],
  ['is_open_world', 'Reaches outside'],
  ['is_concurrency_safe', 'Safe in parallel'],
  ['requires_user_interaction', 'Asks a person'],
]

/** Every fact with its value and who says so. */
export function FactTable({
  facts,
}: {
  readonly facts: Omit<Facts, 'origins'> & Pick<Facts, 'origins'>
}): ReactNode {
  return (
    <table className="plain-table fact-table">
      <caption className="visually-hidden">Facts</caption>
      <tbody>
        {QUESTIONS.map(([fact, question]) => {
          const origin = facts.origins[fact] ?? 'default'
          return (
            <tr key={fact}>
              <th scope="row" title={fact}>
                {question}
              </th>
              <td>{valueWords(facts[fact])}</td>
              <td className="muted" title={ORIGINS[origin]}>
                {originWords(origin)}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function undeclaredOf({ origins }: Facts): readonly string[] {
  return Object.keys(origins).filter((fact) => origins[fact] === 'default')
}

function originWords(origin: string): string {
  return origin === 'default' ? 'assumed' : origin
}

function valueWords(value: boolean | 'depends'): string {
  if (value === 'depends') return 'depends on the input'
  return value ? 'yes' : 'no'
}
