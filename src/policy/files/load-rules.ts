import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import type { RuleSource } from '../../contract/unions.js'
import type { CribConfig } from '../../platform/config/schema/config-schema.js'
import { parseConfigText } from '../../platform/config/parse-config-text.js'
import type { ConfigProblem } from '../../platform/config/describe-problem.js'
import { isObject } from '../../platform/json/is-object.js'
import { BLOCK_KEYS, readRules, type RuleSet } from '../rules/read-rules.js'
import { isRuleText, ruleBase, type RuleFile } from './rule-files.js'
import { trustOf } from '../../platform/trust/config-trust.js'
import { UNREADABLE } from './unreadable-rule.js'
import { withoutLoosening } from './without-loosening.js'
import type { LoadedRules } from './loaded-rules.js'

/** Reads a rule file, or the permission block of a config. A missing file has no rules. */
export async function loadRuleFile(
  file: RuleFile,
  { mustExist = false }: { mustExist?: boolean } = {},
): Promise<LoadedRules | undefined> {
  const read = readText(file.path)
  if (read.text !== undefined) return rulesInText(read.text, file)
  if (read.isMissing && !mustExist) return undefined
  const message = read.isMissing ? 'there is no such file' : 'the rules in it cannot be read'
  return unreadable(file, [{ file: file.path, message }])
}

type ReadText = { text: string; isMissing?: false } | { text?: undefined; isMissing: boolean }

function readText(path: string): ReadText {
  try {
    return { text: readFileSync(path, 'utf8') }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { isMissing: code === 'ENOENT' || code === 'ENOTDIR' }
  }
}

/**
 * The rules of a file whose text is known. A config that is a module has none here: the config loader runs it and
 * passes its block. Every other file is read as text, whatever its name: a name must not switch off its denies.
 */
export async function rulesInText(text: string, file: RuleFile): Promise<LoadedRules | undefined> {
  const { source, path } = file
  if (source === 'project_settings' && !isRuleText(path)) return undefined
  const { value, problems, locate } = await parseConfigText(text, path)
  if (value === undefined || problems.length > 0) return unreadable(file, problems)
  const { block, at, problem } = source === 'project_settings' ? configBlock(value) : blockOf(value)
  if (problem !== undefined) return unreadable(file, [{ file: path, line: 1, message: problem }])
  const base = ruleBase(file)
  const set = ruleSetOf(block, { source, path, base, locate: (place) => locate([...at, ...place]) })
  const found = set.problems.map(({ line, message }): ConfigProblem => ({
    file: path,
    ...(line !== undefined && { line }),
    message,
  }))
  const layer = { source, path, base, text, set, problems: found, isTrusted: true, untrusted: [] }
  // A config was validated before its rules are read.
  const config = source === 'project_settings' ? (value as CribConfig) : undefined
  return trustedOnly(layer, { ...file, text, config })
}

/** Loosening rules count if the file does not belong to a project, or is trusted with this content. */
export function trustedOnly(
  layer: LoadedRules,
  { path, isProject, text, config }: RuleFile & { text: string; config: CribConfig | undefined },
): LoadedRules {
  if (!isProject || trustOf({ path, text, config }).isTrusted) return { ...layer, text }
  return withoutLoosening({ ...layer, text }, config)
}

export interface BlockContext {
  source: RuleSource
  path: string | undefined
  base: string
  locate?: (path: readonly (string | number)[]) => { line: number } | undefined
}

export function ruleSetOf(block: object, { source, path, base, locate }: BlockContext): RuleSet {
  const origin = { source, base, file: path, ...(locate && { locate }) }
  const set = readRules({ ...block }, origin, { home: homedir() })
  return { ...set, workingDirectories: set.workingDirectories.map((each) => resolve(base, each)) }
}

interface Block {
  readonly block: object
  readonly at: readonly string[]
  readonly problem?: string
}

/** A config is validated: its rules have one place, beside the engine and classifiers. */
export function rulesOfConfig(permission: unknown): object {
  const known = Object.entries(isObject(permission) ? permission : {}).filter(([key]) =>
    BLOCK_KEYS.includes(key),
  )
  return Object.fromEntries(known)
}

function configBlock(value: unknown): Block {
  return { block: rulesOfConfig(isObject(value) ? value['permission'] : undefined), at: ['permission'] }
}

/** `permission` as in a config, `permissions` as in other agents' settings, or the lists by themselves. */
function blockOf(value: unknown): Block {
  const none = { block: {}, at: [] }
  if (!isObject(value)) return { ...none, problem: 'it must hold lists of rules: allow, ask and deny' }
  const key = ['permission', 'permissions'].find((each) => Object.hasOwn(value, each))
  if (key === undefined) return { block: value, at: [] }
  const block = value[key] ?? {}
  if (!isObject(block)) return { ...none, problem: `"${key}" must hold lists of rules: allow, ask and deny` }
  const stray = BLOCK_KEYS.find((each) => Object.hasOwn(value, each))
  // A list outside of the block would be ignored silently.
  if (stray !== undefined) return { ...none, problem: `"${stray}" stands beside "${key}"; move it into that` }
  return { block, at: [key] }
}

/** A file that cannot be read may have denied anything. */
export function unreadable(file: RuleFile, problems: ConfigProblem[]): LoadedRules {
  const { source, path } = file
  const base = dirname(path)
  const line = problems[0]?.line
  const { rules, ...set } = ruleSetOf({ deny: [{}] }, { source, path, base })
  return {
    source,
    path,
    base,
    set: { ...set, rules: rules.map((rule) => ({ ...rule, text: UNREADABLE, line })), problems: [] },
    problems,
    isUnreadable: true,
    isTrusted: true,
    untrusted: [],
  }
}
