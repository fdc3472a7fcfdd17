import { secretsOfVariable } from '../redaction/secrets-of-environment.js'

export interface ResolvedTexts {
  texts: Record<string, string>
  /** The values of the variables: no record may contain them. */
  secrets: string[]
}

/** Texts with `${NAME}` replaced by a variable of the environment. Throws if one is not set. */
export function resolveVariables(
  given: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
): ResolvedTexts {
  const secrets = new Set<string>()
  const texts: Record<string, string> = {}
  for (const [key, text] of Object.entries(given)) {
    texts[key] = text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
      const value = env[name]
      if (value === undefined || value === '')
        throw new Error(`it needs the variable ${name} for "${key}", and it is not set`)
      for (const secret of secretsOfVariable(name, value)) secrets.add(secret)
      return value
    })
  }
  return { texts, secrets: [...secrets].sort((a, b) => b.length - a.length) }
}
