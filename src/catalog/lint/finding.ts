export const lintRules = [
  'look_alike_name',
  'shadowed_name',
  'builtin_name',
  'hidden_characters',
  'instructions',
  'schema_unusable',
  'changed',
  'duplicate_name',
  'no_name',
  'left_out',
  'slow_pattern',
  'no_classifier_input',
] as const
export type LintRule = (typeof lintRules)[number]

export const lintSeverities = ['error', 'warning', 'note'] as const
export type LintSeverity = (typeof lintSeverities)[number]

export interface LintFinding {
  readonly toolId: string
  readonly rule: LintRule
  readonly severity: LintSeverity
  /** One sentence. Printable: quoted text of a tool is escaped. */
  readonly message: string
  /** The location in the tool: `name`, `description`, `input/properties/path/description`. */
  readonly place: string
}
