import type { SetupProblem } from '../../../catalog/tool-draft.js'
import type { MissingCredential } from '../../../credentials/credential-problem.js'
import { joinCredentials } from '../../../credentials/join-credentials.js'
import type { OpenedCredential } from '../../../credentials/open-credential.js'
import type { Credential } from '../../../http-client/credential.js'
import type { SecurityAlternative } from '../compiled.js'
import { credentialFailure } from '../../http/to-failure.js'

export interface SecurityChoice {
  /** The names of all schemes, in the order of the document. */
  readonly schemes: readonly string[]
  /** The names of the schemes without which nothing is sent; of alternatives, the names of all. */
  readonly required: readonly string[]
  /** What is missing now; undefined where one of the alternatives is complete. */
  missing(): SetupProblem | undefined
  /** The first complete alternative. Throws where there is none. */
  choose(): ChosenCredential
}

export interface ChosenCredential {
  /** Undefined: the request is sent without one. */
  readonly credential: Credential | undefined
  readonly schemes: readonly string[]
}

const NONE: ChosenCredential = { credential: undefined, schemes: [] }

/**
 * The credentials of an operation: any of its alternatives, and of that all schemes. An alternative without schemes is
 * used only where no other is complete.
 */
export function chooseCredential(
  security: readonly SecurityAlternative[],
  open: (scheme: string, scopes: readonly string[]) => OpenedCredential,
): SecurityChoice {
  const isOptional = security.some((alternative) => Object.keys(alternative).length === 0)
  const alternatives = security
    .filter((alternative) => Object.keys(alternative).length > 0)
    .map((alternative) => {
      const parts = Object.entries(alternative).map(([name, scopes]) => ({
        name,
        credential: open(name, scopes),
      }))
      return {
        schemes: Object.keys(alternative),
        required: parts.filter(({ credential }) => !credential.isNone).map(({ name }) => name),
        credential: parts.map(({ credential }) => credential).reduce((a, b) => joinCredentials(a, b)),
      }
    })
  const needsNothing = isOptional || alternatives.some(({ required }) => required.length === 0)

  /** Alternatives come in the order of the document; the first problem is the one to solve. */
  function find(): { chosen: ChosenCredential } | { problem: MissingCredential } {
    let problem: MissingCredential | undefined
    for (const chosen of alternatives) {
      const missing = chosen.credential.missing()
      if (!missing) return { chosen }
      problem ??= missing
    }
    return problem === undefined || isOptional ? { chosen: NONE } : { problem }
  }

  return {
    schemes: [...new Set(alternatives.flatMap(({ schemes }) => schemes))],
    required: needsNothing ? [] : [...new Set(alternatives.flatMap(({ required }) => required))],
    missing() {
      const found = find()
      return 'problem' in found ? found.problem : undefined
    },
    choose() {
      const found = find()
      if ('problem' in found) throw credentialFailure(found.problem)
      return found.chosen
    },
  }
}
