import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { statusesOf, statusNames } from '../../src/edges/cli/terminal/status-words.js'
import { invocationStatuses } from '../../src/contract/unions.js'

/** The other words for "denied" and "canceled". Commands, codes and statuses keep theirs. */
const OTHER_WORDS =
  /\b(?:reject(?:s|ed|ing)?|rejection|cancelled|cancelling|canceller|declined?|declining)\b/i
/** The command, and names of the protocols and of the standard. */
const NAMES = /approvals reject|\(or reject\)|[\w./]+_rejected\b|notifications\/cancelled/g

const COMMENT_LINE = /^\s*(?:\/\/|\/?\*).*$/gm
const TEXT = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g

/** Every string of a file that is a sentence rather than a name. */
function sentencesIn(path: string): string[] {
  const code = readFileSync(path, 'utf8').replaceAll(COMMENT_LINE, '')
  return (code.match(TEXT) ?? []).map((text) => text.slice(1, -1)).filter((text) => !/^[\w./-]+$/.test(text))
}

describe('one word for one thing', () => {
  it.each(['edges', 'pipeline', 'contract', 'crib', 'approvals', 'policy', 'hooks', 'host', 'scheduling'])(
    'in every sentence of src/%s',
    (folder) => {
      const paths = readdirSync(join('src', folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => join('src', folder, name))
      expect(paths.length).toBeGreaterThan(0)
      const others = paths.flatMap((path) =>
        sentencesIn(path)
          .filter((text) => OTHER_WORDS.test(text.replaceAll(/\$\{[^}]*\}/g, '').replaceAll(NAMES, '')))
          .map((text) => `${path}: ${text}`),
      )
      expect(others).toEqual([])
    },
  )

  it('lists of calls use no other word', () => {
    expect(statusNames().filter((word) => OTHER_WORDS.test(word))).toEqual([])
  })

  it('calls are selected by every printed word, by every status and by the usual synonyms', () => {
    for (const word of [...statusNames(), ...invocationStatuses]) expect(statusesOf(word)).not.toEqual([])
    expect(['rejected', 'Denied'].map(statusesOf)).toEqual([['denied'], ['denied']])
    expect(['cancelled', 'canceled'].map(statusesOf)).toEqual([['canceled'], ['canceled']])
    expect(['timed out', 'timed-out', 'timed_out', 'timeout'].map(statusesOf)).toEqual(
      Array.from({ length: 4 }, () => ['timed_out']),
    )
    expect(statusesOf('waiting')).toEqual(['awaiting_approval', 'needs_input'])
    expect(statusesOf('awaiting_approval')).toEqual(['awaiting_approval'])
    expect(statusesOf('nonsense')).toEqual([])
  })
})
