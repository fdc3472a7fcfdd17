import type { ReactNode } from 'react'
import type { CallStory, JsonObject } from '../../api/types.js'
import { callPath, toolPath } from '../../paths.js'
import { Link } from '../../shell/router.js'
import { FactBadges } from '../../ui/badge.js'
import { Fields } from '../../ui/fields.js'
import { Text } from '../../ui/text.js'
import { duration, Time } from '../../ui/time.js'
import { useMedia } from '../../ui/virtual-table.js'
import { More } from './step-title.js'

/** Who made the call, what it is, and the ids by which other systems know it. */
export function CallFacts({ story }: { readonly story: CallStory }): ReactNode {
  const isNarrow = useMedia('(max-width: 1000px)')
  return (
    <aside className="story-facts" aria-label="Facts about the call">
      {isNarrow ? (
        <More summary="Agent, session, effects and ids">
          <FactRows story={story} />
        </More>
      ) : (
        <FactRows story={story} />
      )}
    </aside>
  )
}

function FactRows({ story }: { readonly story: CallStory }): ReactNode {
  const { invocation, result } = story
  const own = invocation.toolcrib ?? {}
  const session = textOf(own['session'])
  const actor = invocation.actor_ref
  const attempts = own['attempts']
  const ran = result?.toolcrib?.['duration_ms']
  return (
    <Fields
      rows={[
        [
          'Tool',
          <Link key="tool" to={toolPath(invocation.tool_id)}>
            <Text>{story.tool_name}</Text>
          </Link>,
        ],
        [
          'Agent',
          actor !== undefined && (
            <Link key="actor" to={`/calls?actor=${encodeURIComponent(actor)}`}>
              <Text>{actor}</Text>
            </Link>
          ),
        ],
        [
          'Session',
          session !== undefined && (
            <Link key="session" to={`/calls?session=${encodeURIComponent(session)}`}>
              <Text>{session}</Text>
            </Link>
          ),
        ],
        ['Client', clientWords(own['client'])],
        [
          'Caller',
          story.parent !== undefined && (
            <Link key="parent" to={callPath(story.parent.invocation_id)}>
              <Text>{story.parent.tool_name}</Text>
            </Link>
          ),
        ],
        ['Effects', effectsOf(story)],
        ['Made', <Time key="made" at={invocation.created_at} />],
        [
          'Started',
          invocation.started_at !== undefined &&
            duration(Date.parse(invocation.started_at) - Date.parse(invocation.created_at)) + ' later',
        ],
        ['Ran', typeof ran === 'number' && duration(ran)],
        ['Attempts', typeof attempts === 'number' && attempts > 1 && attempts],
        ['Call id', <Id key="id" text={invocation.invocation_id} />],
        ['Native id', invocation.native_call_id !== undefined && <Id text={invocation.native_call_id} />],
        ...nativeRows(result?.toolcrib?.['native']),
        ...nativeRows((own['execution'] as JsonObject | undefined)?.['mapping']),
        ['Sandbox', sandboxWords(own['execution'])],
        ['Surface', invocation.surface_id !== undefined && <Id text={invocation.surface_id} />],
        ['Version', fingerprintOf(own['fingerprint'])],
        ...story.trace_refs.flatMap(traceRows),
      ].map(([name, value]) => [String(name), value === false ? undefined : (value as ReactNode)] as const)}
    />
  )
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function Id({ text }: { readonly text: string }): ReactNode {
  return (
    <code>
      <Text>{text}</Text>
    </code>
  )
}

function clientWords(client: unknown): ReactNode {
  const { name, version } = (client ?? {}) as Record<string, unknown>
  if (typeof name !== 'string') return undefined
  return <Text>{typeof version === 'string' ? `${name} ${version}` : name}</Text>
}

function effectsOf({ invocation }: CallStory): ReactNode {
  const { scheduler, toolcrib } = invocation
  if (scheduler?.is_read_only === undefined) return undefined
  const origins = (toolcrib?.['fact_origins'] ?? {}) as Record<string, string>
  const undeclared = Object.keys(origins).filter((name) => origins[name] === 'default')
  const { is_read_only, is_destructive = true, is_open_world = true } = scheduler
  return <FactBadges facts={{ is_read_only, is_destructive, is_open_world }} undeclared={undeclared} />
}

/** Ids in the protocol of the executor, such as those of a process or of an HTTP request. */
function nativeRows(native: unknown): readonly (readonly [string, ReactNode])[] {
  if (typeof native !== 'object' || native === null) return []
  return Object.entries(native).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number'
      ? [[capitalized(name.replaceAll('_', ' ')), <Id key={name} text={String(value)} />] as const]
      : [],
  )
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

function sandboxWords(execution: unknown): ReactNode {
  const { sandbox } = (execution ?? {}) as { sandbox?: Record<string, unknown> }
  const profile = textOf(sandbox?.['profile'])
  if (profile === undefined) return undefined
  return <Text>{[profile, textOf(sandbox?.['reason'])].filter((part) => part !== undefined).join(': ')}</Text>
}

function fingerprintOf(fingerprint: unknown): ReactNode {
  const text = textOf(fingerprint)
  if (text === undefined) return undefined
  return (
    <code title={text}>
      <Text>{text.replace(/^sha256:/, '').slice(0, 12)}</Text>
    </code>
  )
}

function traceRows(ref: JsonObject): readonly (readonly [string, ReactNode])[] {
  const { trace_id: trace, span_id: span, toolcrib } = ref
  const url = textOf((toolcrib as JsonObject | undefined)?.['url'])
  const id = textOf(trace)
  const isLink = url !== undefined && /^https?:\/\//i.test(url)
  return [
    [
      'Trace',
      id !== undefined &&
        (isLink ? (
          <a href={url} rel="noreferrer noopener" target="_blank">
            <Text>{id}</Text>
          </a>
        ) : (
          <Id text={id} />
        )),
    ],
    ['Span', typeof span === 'string' && <Id text={span} />],
  ]
}
