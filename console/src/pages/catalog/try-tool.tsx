import { useState, type ReactNode } from 'react'
import { callTool } from '../../api/client.js'
import type { FieldError } from '../../api/problem.js'
import { explainCall, listSurfaceNames, type ExplainedCall } from '../../api/policy.js'
import type { ToolDetail } from '../../api/types.js'
import { useAction } from '../../live/use-action.js'
import { useResource } from '../../live/use-resource.js'
import { hasRole, useSession } from '../../shell/session.js'
import { ErrorBox } from '../../ui/error-box.js'
import { ExplainedCallView } from '../../ui/explained-call.js'
import { checkValue } from '../../ui/schema-form/check-value.js'
import { createDraft, draftProblems, type FormDraft } from '../../ui/schema-form/draft.js'
import { SchemaForm } from '../../ui/schema-form/schema-form.js'
import { visibleText } from '../../ui/text.js'
import { MadeCall } from './made-call.js'

type Outcome =
  | { readonly kind: 'explained'; readonly explained: ExplainedCall }
  | { readonly kind: 'called'; readonly invocationId: string }

/** The page comes back at once: the call goes on, and its record is followed. */
const WAIT_MS = 1_000

/** A form for the input of the tool. A call passes the whole pipeline; an explanation runs nothing. */
export function TryTool({ tool }: { readonly tool: ToolDetail }): ReactNode {
  const session = useSession()
  const mayCall = hasRole(session, 'caller')
  const mayRead = hasRole(session, 'reviewer', 'operator', 'auditor')
  const [draft, setDraft] = useState<FormDraft>(() => createDraft(firstInput(tool)))
  const [errors, setErrors] = useState<readonly FieldError[]>([])
  const [surface, setSurface] = useState('')
  const [outcome, setOutcome] = useState<Outcome>()
  const action = useAction()

  const explain = (): void =>
    action.run(async () => {
      const explained = await explainCall({ tool: tool.tool_id, input: draft.value })
      setOutcome({ kind: 'explained', explained })
    })
  const call = (): void => {
    const found = [...draftProblems(draft), ...checkValue(tool.input_schema, draft.value)]
    setErrors(found)
    if (found.length > 0) return
    action.run(async () => {
      const made = await callFound({
        tool: tool.tool_id,
        input: draft.value,
        wait_ms: WAIT_MS,
        ...(surface === '' ? {} : { surface }),
      })
      setOutcome({ kind: 'called', invocationId: made.invocation_id })
    })
  }

  return (
    <div className="try-columns">
      <form
        className="section"
        aria-label="Input"
        onSubmit={(event) => {
          event.preventDefault()
          call()
        }}
      >
        <SchemaForm
          schema={tool.input_schema}
          draft={draft}
          onChange={(next) => {
            setDraft(next)
            setErrors([])
          }}
          errors={errors}
          label="Input"
        />
        {mayCall && mayRead && <SurfaceChoice value={surface} onChange={setSurface} />}
        <div className="actions">
          <button type="submit" className="button primary" disabled={!mayCall || action.isBusy}>
            Call it
          </button>
          {mayRead && (
            <button type="button" className="button" disabled={action.isBusy} onClick={explain}>
              Explain
            </button>
          )}
          <span className="muted">
            {mayCall
              ? 'A call is decided and recorded like the calls of agents.'
              : 'Only a caller can call tools. An explanation runs nothing.'}
          </span>
        </div>
      </form>
      <section className="section" aria-labelledby="try-outcome" aria-live="polite">
        <h2 id="try-outcome" className="visually-hidden">
          Outcome
        </h2>
        <ErrorBox error={action.error} />
        {outcome?.kind === 'explained' && <ExplainedCallView explained={outcome.explained} />}
        {outcome?.kind === 'called' && <MadeCall key={outcome.invocationId} id={outcome.invocationId} />}
        {outcome === undefined && action.error === undefined && (
          <p className="muted">The outcome appears here: how the call was decided, and its result.</p>
        )}
      </section>
    </div>
  )
}

/** A deferred tool is loaded first, as a model would do it: the failed call says how. */
async function callFound(call: Parameters<typeof callTool>[0]): Promise<{ readonly invocation_id: string }> {
  const first = await callTool(call)
  const way = 'error' in first ? first.error?.toolcrib?.['way_out'] : undefined
  if (typeof way !== 'object' || way === null || !('tool' in way) || !('input' in way)) return first
  await callTool({ ...call, tool: String(way.tool), input: way.input })
  return await callTool(call)
}

function SurfaceChoice({
  value,
  onChange,
}: {
  readonly value: string
  readonly onChange: (surface: string) => void
}): ReactNode {
  const { data } = useResource('surface names', listSurfaceNames)
  return (
    <div className="field">
      <label htmlFor="try-surface">Surface</label>
      <select
        id="try-surface"
        className="input"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">your own</option>
        {data?.items
          .filter(({ problem }) => problem === undefined)
          .map(({ name }) => (
            <option key={name} value={name}>
              {visibleText(name)}
            </option>
          ))}
      </select>
    </div>
  )
}

function firstInput({ examples }: ToolDetail): unknown {
  const [first] = examples
  if (typeof first !== 'object' || first === null) return {}
  return 'input' in first ? first.input : first
}
