import { findSecrets } from '../../../redaction/find-secrets.js'
import type { CompiledTool, ToolStatus, ToolType } from '../compiled.js'
import { addMember, replace } from '../read/edits.js'
import type { FileNode } from '../read/file-node.js'
import { given, objectField, type Fields } from './fields.js'

interface Linted {
  readonly type: ToolType | undefined
  readonly status: ToolStatus | undefined
  readonly transport: CompiledTool['transport']
  readonly input: FileNode | undefined
}

/** Reports what is allowed and probably not meant, and path parameters without a field. */
export function lintTool(root: Fields, tool: Linted): void {
  lintMeta(root, tool)
  lintGuidance(root, tool)
  lintEndpoint(root, tool)
  lintAttempts(root, tool)
  lintAnswer(root, tool)
  lintSecrets(root)
}

/** The names of fields give some secrets away; the form of keys and tokens gives away those in any other place. */
function lintSecrets({ node, report }: Fields): void {
  const { text } = report.source
  const told = new Set(
    report.problems.filter(({ code }) => code === 'aml/secret-in-file').map(({ line }) => line),
  )
  for (const { start, end } of findSecrets(text.slice(node.start, node.end)) ?? []) {
    const at = { start: node.start + start, end: node.start + end }
    if (!told.has(report.source.locate(at).line))
      report.add(
        'aml/likely-secret',
        at,
        'This looks like a secret; remove it, and say with "transport.credentials" where it is read from.',
      )
  }
}

function lintMeta(root: Fields, { status }: Linted): void {
  const meta = given(root, 'meta')
  if (status !== 'deprecated' || !meta?.node.members || meta.node.members.has('last_updated')) return
  root.report.add(
    'aml/deprecated-without-date',
    meta.key,
    'Add "meta.last_updated", so that readers know since when the tool is deprecated.',
  )
}

function lintGuidance(root: Fields, { type }: Linted): void {
  const guidance = given(root, 'use_guidance')
  if (!guidance?.node.members) return
  const { members } = guidance.node
  for (const name of ['use_when', 'avoid_when']) {
    const member = members.get(name)
    const isEmpty = member && (member.node.value === null || member.node.items?.length === 0)
    if (!member || isEmpty)
      root.report.add(
        'aml/missing-guidance',
        member?.key ?? guidance.key,
        `Add "use_guidance.${name}"; models choose tools by it.`,
      )
  }
  const effects = members.get('side_effects')
  if (type === 'action') lintActionEffects(root, guidance.key, effects)
  else if (!effects && (type === 'retrieval' || type === 'function'))
    root.report.add(
      'aml/unstated-side-effects',
      guidance.key,
      `Add "use_guidance.side_effects"; a tool of type ${type} has none.`,
      addMember(guidance.node, { name: 'side_effects', text: '"None"', source: root.report.source }),
    )
}

function lintActionEffects(
  root: Fields,
  at: { start: number; end: number },
  effects: { key: { start: number; end: number }; node: FileNode } | undefined,
): void {
  const { report } = root
  if (!effects || effects.node.value === null || effects.node.items?.length === 0) {
    report.add(
      'aml/missing-side-effects',
      effects?.key ?? at,
      'Add "use_guidance.side_effects": what a call changes.',
    )
    return
  }
  const texts = effects.node.items ? effects.node.items.map(({ value }) => value) : [effects.node.value]
  if (texts.every((text) => typeof text === 'string' && /^\W*none\b/i.test(text)))
    report.add(
      'aml/side-effects-none',
      effects.node,
      'Describe what a call of this action changes, or use type retrieval.',
    )
}

/** Fields in the path must be in every input; a path with a gap would call something else. */
function lintEndpoint(root: Fields, { transport, input, type }: Linted): void {
  if (transport?.type !== 'rest-api') return
  const node = given(objectField(root, 'transport')!, 'endpoint')!.node
  const { method, path } = transport.endpoint
  if (type === 'retrieval' && ['PUT', 'PATCH', 'DELETE'].includes(method))
    root.report.add(
      'aml/retrieval-writes',
      node,
      `A retrieval tool only reads; use type action for ${method}.`,
    )
  if (!input) return
  const properties = input.members?.get('properties')?.node.members
  const required = input.members?.get('required')?.node.value
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name)
  lintColons(root, {
    node,
    endpoint: transport.endpoint,
    isFilled: (name) => properties?.has(name) === true && isRequired(name),
  })
  for (const [, name = ''] of path.matchAll(/\{([^{}]+)\}/g)) {
    if (!properties?.has(name))
      root.report.add(
        'aml/path-parameter',
        node,
        `{${name}} in the path needs a field "${name}" in interface.input.`,
      )
    else if (!isRequired(name))
      root.report.add(
        'aml/path-parameter',
        node,
        `{${name}} is in the path, so add "${name}" to required of interface.input.`,
      )
  }
}

/** Many routers write fields as `:id`. Here it would be sent as it is, and ask for something else. */
function lintColons(
  { report }: Fields,
  {
    node,
    endpoint: { method, path },
    isFilled,
  }: {
    node: FileNode
    endpoint: { method: string; path: string }
    /** Whether every input has the field. */
    isFilled: (name: string) => boolean
  },
): void {
  // Behind "/", "=" or another such field only: ":cancel" in "/jobs/{id}:cancel" is a part of the address.
  const colons = /(?<=[/=]|:\w+[-.]):([A-Za-z_]\w*)/g
  const names = [...new Set([...path.matchAll(colons)].map(([, name = '']) => name))]
  if (names.length === 0) return
  const missing = names.filter((name) => !isFilled(name))
  const mended = `${method} ${path.replaceAll(colons, '{$1}')}`
  const written = names.map((name) => `{${name}} for :${name}`).join(' and ')
  const more =
    missing.length > 0
      ? `, and add ${missing.map((name) => `"${name}"`).join(' and ')} to properties and required of interface.input`
      : ''
  report.add(
    'aml/colon-parameter',
    node,
    `Write ${written} in the path${more}; a colon is sent as it is.`,
    missing.length > 0 ? undefined : replace(node, JSON.stringify(mended), `Change it to ${mended}`),
  )
}

function lintAttempts(root: Fields, { type, transport }: Linted): void {
  if (type !== 'action' || transport?.type !== 'rest-api') return
  const { method } = transport.endpoint
  // HTTP defines these as idempotent.
  if (['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'].includes(method)) return
  const fields = objectField(root, 'transport')!
  const attempts = transport.retry_policy?.max_attempts
  const policy = given(fields, 'retry_policy')
  // A value with a problem of its own is stated.
  if (policy && (!policy.node.members || (attempts === undefined && policy.node.members.has('max_attempts'))))
    return
  if (attempts === undefined)
    root.report.add(
      'aml/unstated-attempts',
      policy?.key ?? fields.at,
      'Add "transport.retry_policy.max_attempts"; without it this action is sent once, although the default of AML is 3.',
      policy
        ? addMember(policy.node, { name: 'max_attempts', text: '1', source: root.report.source })
        : addMember(fields.node, {
            name: 'retry_policy',
            text: '{ max_attempts: 1 }',
            source: root.report.source,
          }),
    )
  else if (attempts > 1 && transport.retry_policy?.on_status?.length !== 0)
    root.report.add(
      'aml/repeated-action',
      policy!.node.members!.get('max_attempts')!.node,
      `A repeated ${method} may act twice; set max_attempts to 1, unless the service recognises repeated calls.`,
    )
}

function lintAnswer(root: Fields, { type, transport }: Linted): void {
  if (type !== 'retrieval' || !transport) return
  const fields = objectField(root, 'transport')!
  if (transport.type === 'lambda' && transport.invocation_type === 'Event')
    root.report.add(
      'aml/retrieval-without-answer',
      given(fields, 'invocation_type')!.node,
      'A retrieval tool needs an answer; use invocation_type RequestResponse.',
    )
  if (transport.type === 'message-queue' && transport.response_queue_url === undefined)
    root.report.add(
      'aml/retrieval-without-answer',
      fields.at,
      'A retrieval tool needs an answer; add "transport.response_queue_url".',
    )
}
