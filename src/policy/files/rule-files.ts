import { dirname, extname, join } from 'node:path'
import { configHome } from '../../platform/config/config-home.js'
import type { RuleSource } from '../../contract/unions.js'

/** Where the rules of each source are. */
export interface RuleFile {
  readonly source: RuleSource
  readonly path: string
  /** It is part of a project: its author is the project's author, not the user who runs it. */
  readonly isProject: boolean
}

/** The file beside a config that holds the user's own rules. */
export const LOCAL_RULES = 'toolcrib.local.yaml'

export function ruleFiles(configPath: string | undefined, env: NodeJS.ProcessEnv = process.env): RuleFile[] {
  const files: RuleFile[] = [
    {
      source: 'policy_settings',
      path: env['TOOLCRIB_POLICY'] || '/etc/toolcrib/policy.yaml',
      isProject: false,
    },
    { source: 'user_settings', path: join(configHome(env), 'rules.yaml'), isProject: false },
  ]
  if (configPath === undefined) return files
  return [
    ...files,
    { source: 'project_settings', path: configPath, isProject: true },
    { source: 'local_settings', path: join(dirname(configPath), LOCAL_RULES), isProject: true },
  ]
}

/** Whether it holds rules as text. A module does not: the config loader runs it. */
export function isRuleText(path: string): boolean {
  return /^\.(?:ya?ml|json)$/.test(extname(path))
}

/** In a project `./` is the project; in a user's or a program's own rules it is the working folder. */
export function ruleBase({ path, isProject }: Pick<RuleFile, 'path' | 'isProject'>): string {
  return isProject ? dirname(path) : process.cwd()
}
