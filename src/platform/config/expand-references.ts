export interface ReferenceContext {
  env: Readonly<Record<string, string | undefined>>
  /** The value of `${workspaceFolder}`. */
  folder: string
  home: string
}

export type Expanded =
  | { ok: true; text: string; taken: { name: string; value: string }[] }
  /** A clause that says what is missing, such as `the variable TOKEN is not set`. */
  | { ok: false; missing: string }

const REFERENCE = /\$\{(?:(env|input):)?([\w.-]+)(?::-([^}]*))?\}/g

/** Expands `${NAME}`, `${NAME:-default}` and `${env:NAME}` to variables, as MCP clients do. */
export function expandReferences(text: string, { env, folder, home }: ReferenceContext): Expanded {
  const taken: { name: string; value: string }[] = []
  let missing: string | undefined
  const expanded = text.replaceAll(
    REFERENCE,
    (whole: string, kind: string | undefined, name: string, fallback: string | undefined) => {
      if (kind === 'input') {
        missing ??= `${whole} is asked for by VS Code only; put the value into a variable and write \${${variableName(name)}}`
        return ''
      }
      const value = env[name]
      if (value !== undefined && value !== '') {
        taken.push({ name, value })
        return value
      }
      if (fallback !== undefined) return fallback
      if (name === 'workspaceFolder') return folder
      if (name === 'userHome') return home
      missing ??= `the variable ${name} is not set; set it, or write \${${name}:-…} with a default`
      return ''
    },
  )
  return missing === undefined ? { ok: true, text: expanded, taken } : { ok: false, missing }
}

const variableName = (id: string): string => id.replaceAll(/\W/g, '_').toUpperCase()
