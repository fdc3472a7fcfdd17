import { useState, type ReactNode } from 'react'
import type { CallStory, ToolHook, ToolInputMutation } from '../../api/types.js'
import { Badge } from '../../ui/badge.js'
import { Diff } from '../../ui/diff.js'
import { Json } from '../../ui/json.js'
import { Text } from '../../ui/text.js'
import { duration } from '../../ui/time.js'
import { StepTitle } from './step-title.js'

interface InputVersion {
  readonly title: string
  readonly value: unknown
  readonly ref: string | undefined
  readonly help: string
}

/** What the model wrote, and the three copies that followed from it. */
export function AskedStep({ story }: { readonly story: CallStory }): ReactNode {
  const { invocation } = story
  return (
    <>
      <StepTitle>
        {invocation.actor_ref === undefined ? 'A caller' : <Text>{invocation.actor_ref}</Text>} called{' '}
        <code>
          <Text>{story.tool_name}</Text>
        </code>
      </StepTitle>
      <Inputs versions={versionsOf(story)} />
    </>
  )
}

function versionsOf({ invocation }: CallStory): readonly InputVersion[] {
  const versions: readonly InputVersion[] = [
    {
      title: 'By the model',
      value: invocation.model_input,
      ref: invocation.model_input_ref,
      help: 'What the caller wrote. It is never changed.',
    },
    {
      title: 'Shown to hooks',
      value: invocation.observable_input,
      ref: invocation.observable_input_ref,
      help: 'A normalised copy, for hooks and for people.',
    },
    {
      title: 'Judged',
      value: invocation.permission_input,
      ref: invocation.permission_input_ref,
      help: 'What the rules and the reviewer decided about.',
    },
    {
      title: 'Ran',
      value: invocation.call_input,
      ref: invocation.call_input_ref,
      help: 'What the tool got.',
    },
  ]
  return versions.filter(({ ref }) => ref !== undefined)
}

function Inputs({ versions }: { readonly versions: readonly InputVersion[] }): ReactNode {
  const [chosen, setChosen] = useState(0)
  const shown = versions[Math.min(chosen, versions.length - 1)]
  if (shown === undefined) return null
  const same = versions.find(({ ref }) => ref === shown.ref)
  return (
    <div className="inputs">
      <div className="inputs-choice">
        <div className="segments" role="group" aria-label="Which input">
          {versions.map(({ title }, index) => (
            <button
              key={title}
              type="button"
              aria-pressed={versions[index] === shown}
              onClick={() => setChosen(index)}
            >
              {title}
            </button>
          ))}
        </div>
        <span className="muted">
          {same === shown ? shown.help : `The same as the input ${inSentence(same?.title)}.`}
        </span>
      </div>
      <Json value={shown.value} label={`Input: ${shown.title}`} />
    </div>
  )
}

function inSentence(title = ''): string {
  return (
    { 'By the model': 'by the model', 'Shown to hooks': 'shown to hooks', Judged: 'that was judged' }[
      title
    ] ?? ''
  )
}

export function ReadyStep({ story }: { readonly story: CallStory }): ReactNode {
  return (
    <StepTitle>
      The tool is{' '}
      <code>
        <Text>{story.tool_name}</Text>
      </code>{' '}
      and the arguments fit its schema
    </StepTitle>
  )
}

const MAKERS: Readonly<Record<string, string>> = {
  adapter: 'the schema of the tool',
  runtime: 'Toolcrib',
  migration: 'a migration',
}

interface MutationStepProps {
  readonly mutation: ToolInputMutation | undefined
  readonly lines: readonly string[]
  readonly story: CallStory
}

export function MutationStep({ mutation, lines, story }: MutationStepProps): ReactNode {
  const maker = mutation === undefined ? 'Toolcrib' : makerOf(mutation, story)
  return (
    <>
      <StepTitle note={mutation?.reason !== undefined && <Text>{mutation.reason}</Text>}>
        The input was changed by <Text>{maker}</Text>
      </StepTitle>
      <Diff lines={lines} label={`Change of the input by ${maker}`} />
    </>
  )
}

function makerOf({ source_type: type, source_ref: ref = '' }: ToolInputMutation, story: CallStory): string {
  if (type === 'hook') return `the hook ${ref.replace(/^hook:/, '').replace(/@[0-9a-f]{32}$/, '')}`
  if (type !== 'permission_prompt') return MAKERS[type] ?? type.replaceAll('_', ' ')
  const approval = story.approvals.find(({ approval_id: id }) => ref.endsWith(`/${id}`))
  return approval?.answer === undefined ? 'a reviewer' : `the reviewer ${approval.answer.by}`
}

const MOMENTS: Readonly<Record<string, string>> = {
  pre_tool_use: 'before the call',
  post_tool_use: 'after the call',
  post_tool_use_failure: 'after the failure',
  permission_request: 'when approval was asked',
  permission_decision: 'after the decision',
  result_persistence: 'before the result was stored',
}

export function HookStep({ hook }: { readonly hook: ToolHook }): ReactNode {
  const { started_at: start, ended_at: end, outputs = [], permission_result: permission, stop } = hook
  const took = start !== undefined && end !== undefined ? Date.parse(end) - Date.parse(start) : undefined
  const problem = hook.toolcrib?.['problem']
  const said = outputs.flatMap(outputWords)
  const isSilent =
    said.length === 0 && permission === undefined && stop === undefined && problem === undefined
  return (
    <>
      <StepTitle
        note={
          <>
            {MOMENTS[hook.hook_event] ?? hook.hook_event}
            {took !== undefined && `, ${duration(took)}`}
            {isSilent && ', no objection'}
          </>
        }
      >
        Hook{' '}
        <code>
          <Text>{hook.hook_id}</Text>
        </code>
      </StepTitle>
      {!isSilent && (
        <ul className="step-lines">
          {typeof problem === 'string' && (
            <li>
              <Badge tone="bad">failed</Badge> <Text>{problem}</Text>
            </li>
          )}
          {permission !== undefined && (
            <li>
              <Badge
                tone={
                  permission.behavior === 'deny' ? 'bad' : permission.behavior === 'ask' ? 'warn' : 'good'
                }
              >
                says {permission.behavior}
              </Badge>{' '}
              <Text>{permission.message ?? ''}</Text>
            </li>
          )}
          {said.map(({ label, text }, index) => (
            <li key={index}>
              <span className="muted">{label}</span> <Text>{text}</Text>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const OUTPUTS: Readonly<Record<string, string>> = {
  message: 'says',
  additional_context: 'tells the model',
  stop: 'wants the call to end',
  updated_input: 'changed the input',
  updated_output: 'changed the output',
  progress: 'reports',
}

function outputWords({
  type,
  text,
  toolcrib,
}: NonNullable<ToolHook['outputs']>[number]): readonly { label: string; text: string }[] {
  if (type === 'permission_result') return []
  const refused = toolcrib?.['refused']
  const label = OUTPUTS[type] ?? type
  if (refused === undefined) return [{ label, text: text ?? '' }]
  return [
    { label: `${label}, which was refused`, text: typeof refused === 'string' ? refused : (text ?? '') },
  ]
}
