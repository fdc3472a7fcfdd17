import { useState, type ReactNode } from 'react'
import { persistenceReason } from '../../../../src/contract/persistence-reasons.js'
import { artifactUrl } from '../../api/content.js'
import type { CallStory, PayloadRef, ToolResult } from '../../api/types.js'
import { statusWords } from '../../ui/badge.js'
import { Json } from '../../ui/json.js'
import { size } from '../../ui/size.js'
import { Text } from '../../ui/text.js'
import { duration, Time } from '../../ui/time.js'
import { ContentBlocks, isStored, LongText, refWords } from './content-blocks.js'
import { ContentViewer } from './content-viewer.js'
import { More, StepTitle } from './step-title.js'

const STRATEGIES: Readonly<Record<string, string>> = {
  inline: 'The whole result is in the record',
  preview_and_persist: 'The whole result was stored, and a preview was given',
  ref_only: 'The result was stored, and a reference was given',
  redact: 'The result was redacted',
  drop_with_reason: 'Not all of the result was stored',
  never_persist: 'The result was given to the caller and not stored',
}

/** Where the bytes of the result went. */
export function StoredStep({ story }: { readonly story: CallStory }): ReactNode {
  const { persistence } = story
  if (persistence === undefined) return <StepTitle>The result was stored</StepTitle>
  const {
    strategy,
    reason,
    original_size_bytes: whole,
    preview_size_bytes: preview,
    persisted_ref: ref,
  } = persistence
  const sizes = [
    whole === undefined ? undefined : size(whole),
    preview === undefined ? undefined : `${size(preview)} shown`,
    ref?.expires_at === undefined ? undefined : 'kept for a while',
  ].filter((word) => word !== undefined)
  return (
    <>
      <StepTitle note={sizes.join(', ')}>{STRATEGIES[strategy] ?? strategy}</StepTitle>
      {reason !== undefined && (
        <p className="muted prose">
          <Text>{persistenceReason(reason)}</Text>
          {ref?.expires_at !== undefined && (
            <>
              {'; it expires '}
              <Time at={ref.expires_at} />
            </>
          )}
        </p>
      )}
    </>
  )
}

export function ResultStep({ story }: { readonly story: CallStory }): ReactNode {
  const { result } = story
  if (result === undefined) return null
  return (
    <>
      <StepTitle>Result: {statusWords(result.status)}</StepTitle>
      <ResultError result={result} />
      <Representations result={result} />
      <StoredOutput result={result} />
      <Artifacts refs={result.artifact_refs ?? story.invocation.artifact_refs ?? []} />
    </>
  )
}

const HELPS: Readonly<Record<string, string>> = {
  retry: 'Call it again.',
  retry_later: 'Call it again later.',
  change_arguments: 'Change the arguments and call it again.',
  change_arguments_or_policy: 'Change the arguments, or change the rules.',
  discover_first: 'Look the tool up first, then call it with its schema.',
  ask_again: 'Ask for approval again, for instance with other arguments.',
  set_up_first: 'Finish the setup of the tool, then call it again.',
  inspect_first: 'Check what happened before it is called again.',
  not_recoverable: 'Another call will not help.',
}

function ResultError({ result }: { readonly result: ToolResult }): ReactNode {
  const { error } = result
  if (error === undefined) return null
  const { error_class: errorClass, error_code: code, message, recoverability, retry_after: after } = error
  const retry = error.toolcrib?.['retry'] as { safe?: boolean; advice?: string } | undefined
  const helps = [
    retry?.advice,
    recoverability === undefined ? undefined : HELPS[recoverability],
    retry?.safe === true ? 'The same call can be sent again: it repeats no effect.' : undefined,
    typeof after === 'number' ? `Wait ${duration(after * 1_000)} first.` : undefined,
  ].filter((sentence) => sentence !== undefined)
  return (
    <div className="error-box" role="group" aria-label="Error">
      <p className="prose">
        <Text>{message}</Text>
      </p>
      <p>
        <code>{errorClass}</code>
        {code !== undefined && code !== `toolcrib.${errorClass}` && (
          <>
            {' '}
            <code>
              <Text>{code}</Text>
            </code>
          </>
        )}
      </p>
      {helps.length > 0 && (
        <p className="prose">
          <strong>What would help: </strong>
          <Text>{helps.join(' ')}</Text>
        </p>
      )}
    </div>
  )
}

interface Representation {
  readonly title: string
  readonly view: () => ReactNode
}

function Representations({ result }: { readonly result: ToolResult }): ReactNode {
  const all = representationsOf(result)
  const [chosen, setChosen] = useState(all[0]?.title)
  const shown = all.find(({ title }) => title === chosen) ?? all[0]
  return (
    <div className="representations">
      <div className="segments" role="group" aria-label="Which representation">
        {all.map(({ title }) => (
          <button
            key={title}
            type="button"
            aria-pressed={title === shown?.title}
            onClick={() => setChosen(title)}
          >
            {title}
          </button>
        ))}
      </div>
      {shown?.view()}
    </div>
  )
}

function representationsOf(result: ToolResult): readonly Representation[] {
  const {
    structured_content: structured,
    ui_facing_summary: summary,
    ui_facing_rendering: rendering,
  } = result
  const model = result.model_facing_content ?? []
  const own = result.content ?? []
  const isSame = JSON.stringify(model) === JSON.stringify(own)
  const found: Representation[] = [
    { title: 'For the model', view: () => <ContentBlocks blocks={model} label="For the model" /> },
  ]
  if (structured !== undefined)
    found.push({
      title: 'Structured',
      view: () => <Json value={structured} label="Structured content" depth={3} />,
    })
  if (summary !== undefined || rendering !== undefined)
    found.push({
      title: 'For people',
      view: () => (
        <div className="blocks">
          {summary !== undefined && <LongText text={summary} label="For people" />}
          {rendering !== undefined && <Json value={rendering} label="Hints for a screen" />}
        </div>
      ),
    })
  if (!isSame) found.push({ title: 'Content', view: () => <ContentBlocks blocks={own} label="Content" /> })
  if (result.native_output !== undefined)
    found.push({ title: 'Native output', view: () => <NativeOutput value={result.native_output} /> })
  found.push({
    title: 'Record',
    view: () => <Json value={result} label="The record of the result" depth={1} />,
  })
  return found
}

/** What the executor gave, or a ref to it. */
function NativeOutput({ value }: { readonly value: unknown }): ReactNode {
  const uri = (value as { uri?: unknown } | null)?.uri
  if (typeof uri === 'string' && isStored(uri)) return <ContentViewer uri={uri} label="Native output" />
  return <Json value={value} label="Native output" depth={3} />
}

/** The whole output, where the result has only a part of it. */
function StoredOutput({ result }: { readonly result: ToolResult }): ReactNode {
  const { persisted_payload_ref: kept, resource_refs: resources = [] } = result
  const stored = [...(kept === undefined ? [] : [kept]), ...resources].filter(({ uri }) => isStored(uri))
  return stored.map((ref) => (
    <More
      key={ref.uri}
      summary={
        <>
          {ref === kept ? 'The whole output' : 'A stored resource'}{' '}
          <span className="muted">
            <Text>{refWords(ref)}</Text>
          </span>
        </>
      }
    >
      <ContentViewer
        uri={ref.uri ?? ''}
        label={ref === kept ? 'The whole output' : (ref.name ?? 'Resource')}
      />
    </More>
  ))
}

function Artifacts({ refs }: { readonly refs: readonly PayloadRef[] }): ReactNode {
  if (refs.length === 0) return null
  return (
    <ul className="artifacts" aria-label="Artifacts">
      {refs.map((ref, index) => (
        <li key={ref.uri ?? index}>
          <div className="artifact-head">
            <strong>
              <Text>{ref.title ?? ref.name ?? 'Artifact'}</Text>
            </strong>
            <span className="muted">
              <Text>{refWords(ref.title === undefined ? { ...ref, name: undefined } : ref)}</Text>
            </span>
            {ref.ref_id?.startsWith('art_') === true && (
              <a className="button" href={artifactUrl(ref.ref_id)} download={ref.name ?? ''}>
                Download
              </a>
            )}
          </div>
          {isStored(ref.uri) && (
            <More summary="Read it">
              <ContentViewer uri={ref.uri} label={ref.name ?? 'Artifact'} />
            </More>
          )}
        </li>
      ))}
    </ul>
  )
}
