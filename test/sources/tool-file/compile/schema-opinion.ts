import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { agentFileSchema } from '../../../../src/sources/tool-file/schema/agent-file-schema.js'
import { toolFileSchema } from '../../../../src/sources/tool-file/schema/tool-file-schema.js'

const ajv = new Ajv({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allErrors: true,
  validateFormats: false,
})
const checkTool = ajv.compile(toolFileSchema)
const checkAgent = ajv.compile(agentFileSchema)

/** What the schemas for editors say of a file; undefined where its YAML has no value for them. */
export function schemaOpinion(file: string, text: string): { ok: boolean; errors: string[] } | undefined {
  const matter = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?(?<=\n))---[ \t]*(?:\r?\n|$)/.exec(text)?.[1]
  if (matter === undefined) return undefined
  let value: unknown
  try {
    const parsed: unknown = parse(matter, {
      uniqueKeys: true,
      strict: true,
      logLevel: 'silent',
      maxAliasCount: 100,
    })
    // An alias inside its own anchor makes a circle.
    value = JSON.parse(JSON.stringify(parsed) ?? 'null')
  } catch {
    return undefined
  }
  const check = file.endsWith('.tool.md') ? checkTool : checkAgent
  const ok = check(value)
  return { ok, errors: (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`) }
}
