// Texts that the patterns of openredaction match, a rule set that is independent of secretlint's.
import { createRequire } from 'node:module'
import { createDice, drawMatch } from '../test/redaction/secret-fixtures.mjs'

const { allPatterns } = createRequire(import.meta.url)('@openredaction/core')

/** Those that describe secrets. The others are about people and their documents, or match any long word. */
const TYPES = new Set(
  `URL_WITH_AUTH AWS_ACCESS_KEY OPENAI_API_KEY GOOGLE_API_KEY STRIPE_API_KEY GITHUB_TOKEN JWT_TOKEN GENERIC_API_KEY
  PRIVATE_KEY SSH_PRIVATE_KEY DATABASE_CONNECTION DOCKER_AUTH SLACK_TOKEN TWILIO_API_KEY MAILGUN_API_KEY SENDGRID_API_KEY
  BEARER_TOKEN AZURE_STORAGE_KEY NPM_TOKEN PYPI_TOKEN FIREBASE_API_KEY OAUTH_CLIENT_SECRET OAUTH_TOKEN`.split(
    /\s+/,
  ),
)

export function openredactionFixtures(seed, perPattern = 20) {
  const dice = createDice(seed)
  return allPatterns
    .filter(({ type }) => TYPES.has(type))
    .flatMap(({ type, regex }) => {
      const source = writtenOut(regex.source)
      return Array.from({ length: perPattern }, () => secretIn(type, drawMatch(source, dice)))
    })
}

/** Arbitrary parts of a pattern become something ordinary: one character, one space, lines of Base64, host names. */
function writtenOut(source) {
  return source
    .replace(/\\b/g, '')
    .replace(/\[\\s\\S\]\{20,\}\?/g, '\\n(?:[A-Za-z0-9+/]{64}\\n){4}')
    .replace(/\[:?\\s=\]\+|\[:=\\s\]\+/g, '=')
    .replace(/\.\{0,5\}|\.\?/g, '_')
    .replace(/\[\^\\s@\]\+/g, '[A-Za-z0-9]{8,20}')
    .replace(/\[\^\\s:\]\+/g, '[a-z]{3,8}')
    .replace(/\[\^\\s\]\+/g, 'db\\.service\\.test')
    .replace(/:\[a-zA-Z0-9._-\]\+@/g, ':[A-Za-z0-9]{8,20}@')
    .replace(/\[\^\}\]\*/g, '')
    .replace(/\\s\+/g, ' ')
    .replace(/\\s\*/g, '')
}

function secretIn(type, sample) {
  const password = /:\/\/[^:]+:([^@]+)@/.exec(sample)?.[1]
  const named = /^(?:GENERIC|OAUTH|BEARER|AZURE|DOCKER)/.test(type)
    ? /[A-Za-z0-9_.+/=-]{20,}/.exec(sample.replace(/^[A-Za-z_.]+[= ]/, ''))?.[0]
    : undefined
  const secret = password ?? named ?? sample
  const before = `The first line.\n${sample.slice(0, sample.lastIndexOf(secret))}`
  return {
    name: type,
    text: `The first line.\n${sample}\nThe last line.`,
    start: before.length,
    end: before.length + secret.length,
  }
}
