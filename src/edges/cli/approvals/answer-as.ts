import type { CribConfig } from '../../../platform/config/config-schema.js'
import { provesReviewer, reviewerNames } from '../../../approvals/reviewers.js'
import type { Terminal } from '../terminal/terminal.js'
import { usageProblem } from '../program/usage-problem.js'
import { personName } from '../terminal/user-name.js'

const TOKEN = 'TOOLCRIB_REVIEWER_TOKEN'

/** Who answers on the command line: the person at the terminal, or a reviewer of the config who proves it. */
export function answerAs(
  name: unknown,
  { config, terminal }: { config: CribConfig; terminal: Terminal },
): string {
  const reviewers = config.approvals?.reviewers ?? []
  if (typeof name !== 'string') {
    if (terminal.hasPerson) return personName()
    throw usageProblem(
      `Only a person at a terminal, or a reviewer with a secret, can answer; use --as <reviewer> with ${TOKEN} set.`,
    )
  }
  if (!reviewerNames(reviewers).includes(name)) {
    const known = reviewerNames(reviewers).join(', ') || 'none'
    throw usageProblem(`The config names no reviewer "${name}" (there is: ${known}).`)
  }
  const token = process.env[TOKEN]
  if (token !== undefined && provesReviewer(reviewers, name, token)) return name
  if (terminal.hasPerson && reviewers.includes(name)) return name
  const hasSecret = reviewers.some((each) => typeof each === 'object' && each.name === name)
  throw usageProblem(
    hasSecret
      ? `"${name}" must prove it: set ${TOKEN} to the secret whose SHA-256 stands in the config.`
      : `"${name}" has no token_sha256 in the config, so that name can answer only at a terminal or through the library.`,
  )
}
