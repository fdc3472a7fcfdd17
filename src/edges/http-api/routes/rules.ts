import { permissionBehaviors, ruleSources, type RuleSource } from '../../../contract/unions.js'
import { MAX_PREVIEWED_CALLS, type RuleChange } from '../../../crib/policy/preview-rules.js'
import { permissionModes } from '../../../policy/permission-mode.js'
import { ruleBehaviors, type RuleBehavior } from '../../../policy/rules/rule.js'
import { explainCall } from '../explain-call.js'
import type { RuleUpdate } from '../../../policy/rules/rule-update.js'
import { badRequest, conflict } from '../problem.js'
import { checkChangeable, checkHome, READERS, whoOf } from '../role-groups.js'
import type { ApiRequest, Route } from '../route.js'
import { toolNameOf, toolNameSchema } from '../tool-summary.js'
import { anything, input, named, shape, text, texts } from '../shapes.js'

const tag = 'Rules'
const behavior = { enum: ruleBehaviors } as const
const ruleText = {
  type: 'string',
  minLength: 1,
  maxLength: 4000,
  description: 'tool or tool(specifier)',
} as const
const destination = {
  enum: ruleSources,
  description: 'One of the destinations that GET /rules names.',
} as const

const testSchema = shape(
  { example: anything, should_match: { type: 'boolean' }, passes: { type: 'boolean' } },
  ['should_match', 'passes'],
)

const list: Route = {
  method: 'get',
  path: '/rules',
  operationId: 'listRules',
  tag,
  summary: 'List the permission rules',
  description:
    'The rules of every source, where each is, and whether its examples hold. The strictest rule wins.',
  roles: READERS,
  success: [
    {
      status: 200,
      description: 'The rules in force.',
      schema: shape(
        {
          revision: text,
          mode: { enum: permissionModes },
          items: {
            type: 'array',
            items: shape(
              {
                behavior,
                text,
                source: { enum: ruleSources },
                path: text,
                line: { type: 'integer' },
                reason: text,
                when: { type: 'object' },
                match: { type: 'array', items: anything },
                not_match: { type: 'array', items: anything },
                tests: { type: 'array', items: testSchema },
                is_session: { type: 'boolean' },
                problem: text,
                waived: shape({ until: text, reason: text, by: text }, ['until', 'reason']),
              },
              ['behavior', 'text', 'source', 'tests', 'is_session'],
            ),
          },
          problems: {
            type: 'array',
            items: shape({ file: text, line: { type: 'integer' }, message: text }, ['file', 'message']),
          },
          destinations: { type: 'array', items: { enum: ruleSources } },
        },
        ['revision', 'mode', 'items', 'problems', 'destinations'],
      ),
    },
  ],
  handle(request) {
    checkHome(request)
    const { rules: items, ...rest } = request.api.crib.policy.describe()
    return { status: 200, body: { ...rest, items } }
  },
}

const changed = shape({ revision: text }, ['revision'])

interface RuleBody {
  readonly behavior: RuleBehavior
  readonly rule: string
  readonly destination: RuleSource
  readonly reason?: string
  readonly replaces?: { readonly behavior: RuleBehavior; readonly rule: string }
}

const add: Route = {
  method: 'post',
  path: '/rules',
  operationId: 'addRule',
  tag,
  summary: 'Add a rule',
  description: 'To a file, where it stays, or to "session": for every session while the server runs.',
  roles: ['operator'],
  body: input(
    {
      behavior,
      rule: ruleText,
      destination,
      reason: { ...named('Why the rule is there.') },
      replaces: {
        ...input({ behavior, rule: ruleText }, ['behavior', 'rule']),
        description:
          'A rule of the same destination that this one replaces, in one step and in its place: in a file its conditions, examples and comments stay.',
      },
    },
    ['behavior', 'rule', 'destination'],
  ),
  success: [{ status: 200, description: 'The revision of the rules.', schema: changed }],
  handle: (request) => change(request, 'add_rules'),
}

const remove: Route = {
  method: 'post',
  path: '/rules/remove',
  operationId: 'removeRule',
  tag,
  summary: 'Remove a rule',
  roles: ['operator'],
  body: input({ behavior, rule: ruleText, destination }, ['behavior', 'rule', 'destination']),
  success: [{ status: 200, description: 'The revision of the rules.', schema: changed }],
  handle: (request) => change(request, 'remove_rules'),
}

async function change(request: ApiRequest, type: 'add_rules' | 'remove_rules') {
  checkChangeable(request)
  const { policy } = request.api.crib
  const { behavior, rule, destination, reason, replaces } = request.body as RuleBody
  const { destinations, rules } = policy.describe()
  if (!destinations.includes(destination))
    throw badRequest(`Rules are not written to ${destination} here; there are ${destinations.join(', ')}.`)
  const text = rule.trim()
  const gone = type === 'remove_rules' ? { behavior, rule: text } : replaces
  const isThere = rules.some(
    (each) => each.source === destination && each.behavior === gone?.behavior && each.text === gone.rule,
  )
  if (gone !== undefined && !isThere)
    throw conflict(
      `There is no rule ${gone.behavior} ${gone.rule} in ${destination}; GET /rules lists what there is.`,
    )
  const added = { behavior, rules: [text], destination, ...(reason !== undefined && { reason }) }
  const update: RuleUpdate =
    replaces === undefined ? { type, ...added } : { type: 'replace_rules', ...added, replaces: [replaces] }
  try {
    await policy.update(update, { by: whoOf(request), isOperator: true })
  } catch (error) {
    throw updateProblem(error)
  }
  return { status: 200, body: { revision: policy.revision } }
}

/** A rule that cannot be read, a file that cannot be changed now. Errors of the file system are the server's. */
function updateProblem(error: unknown): unknown {
  if (!(error instanceof Error) || 'syscall' in error) return error
  return error instanceof TypeError ? badRequest(error.message) : conflict(error.message)
}

const changeSchema = input({ behavior, rule: ruleText, destination }, ['behavior', 'rule'])
const changesSchema = { type: 'array', maxItems: 100, items: changeSchema } as const

const preview: Route = {
  method: 'post',
  path: '/rules/preview',
  operationId: 'previewRules',
  tag,
  summary: 'See which of the last calls changed rules would decide otherwise',
  description:
    'The recorded inputs are judged now, with the rules as they are and with the changed rules. Inputs are masked as they are recorded: a rule about a masked value does not find it. Engines, classifiers and hooks are not asked. Nothing is changed.',
  roles: ['operator', 'auditor'],
  body: input({
    add: changesSchema,
    remove: changesSchema,
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_PREVIEWED_CALLS,
      default: MAX_PREVIEWED_CALLS,
      description: 'How many of the last calls are examined.',
    },
  }),
  success: [
    {
      status: 200,
      description: 'The calls that would be decided otherwise, the newest first.',
      schema: shape(
        {
          examined: { type: 'integer' },
          not_examined: { type: 'integer', description: 'Calls whose tools are no longer in the catalog.' },
          changed: {
            type: 'array',
            items: shape(
              {
                invocation_id: text,
                tool_id: text,
                tool_name: toolNameSchema,
                created_at: text,
                before: { enum: permissionBehaviors },
                after: { enum: permissionBehaviors },
                reason: text,
              },
              ['invocation_id', 'tool_id', 'tool_name', 'created_at', 'before', 'after', 'reason'],
            ),
          },
          problems: texts,
        },
        ['examined', 'not_examined', 'changed', 'problems'],
      ),
    },
  ],
  async handle(request) {
    checkHome(request)
    const { api, tenant, signal } = request
    const {
      add: added,
      remove: removed,
      limit,
    } = request.body as {
      add?: RuleChange[]
      remove?: RuleChange[]
      limit?: number
    }
    const found = await api.crib.policy.preview({ add: added, remove: removed }, { limit, tenant, signal })
    const changed = found.changed.map((call) => ({
      ...call,
      tool_name: toolNameOf(request.api.crib, call.tool_id),
    }))
    return { status: 200, body: { ...found, changed } }
  },
}

const explain: Route = {
  method: 'post',
  path: '/explain',
  operationId: 'explainCall',
  tag,
  summary: 'Explain how a call would be decided',
  description: 'Nothing runs. The tool is one of the catalog or one of coding agents, for example Bash.',
  roles: READERS,
  body: input(
    {
      tool: named('Any name of a tool.'),
      input: anything,
      actor: named('The caller.'),
      session: named('The session of the call.'),
      mode: { enum: permissionModes },
    },
    ['tool'],
  ),
  success: [
    {
      status: 200,
      description: 'The decision, and every rule that was considered; in another tenant the decision alone.',
      schema: shape(
        {
          tool_id: text,
          tool_name: toolNameSchema,
          behavior: { enum: permissionBehaviors },
          mode: text,
          source: text,
          reason: shape({ type: text, message: text }, ['type', 'message']),
          considered: { type: 'array', items: { type: 'object' } },
          what_would_change: texts,
        },
        ['tool_id', 'tool_name', 'behavior', 'mode', 'source', 'reason', 'considered', 'what_would_change'],
      ),
    },
  ],
  handle(request) {
    const asked = request.body as Parameters<typeof explainCall>[1]
    return { status: 200, body: explainCall(request, asked) }
  },
}

export const ruleRoutes = [list, add, remove, preview, explain]
