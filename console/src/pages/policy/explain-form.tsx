import { useState, type ReactNode } from 'react'
import { permissionModes } from '../../../../src/policy/permission-mode.js'
import { getTool } from '../../api/client.js'
import { explainCall, type ExplainedCall } from '../../api/policy.js'
import type { ToolSummary } from '../../api/types.js'
import { useAction } from '../../live/use-action.js'
import { useResource } from '../../live/use-resource.js'
import { useTools } from '../../live/use-tools.js'
import { useQueryValue } from '../../shell/router.js'
import { ErrorBox } from '../../ui/error-box.js'
import { ExplainedCallView } from '../../ui/explained-call.js'
import { createDraft, draftProblems, type FormDraft } from '../../ui/schema-form/draft.js'
import { SchemaForm } from '../../ui/schema-form/schema-form.js'
import { ToolInput } from './tool-input.js'

const EMPTY = createDraft({})

/** By its qualified name, or by the end of it that rules use where only one tool has it: shell.exec. */
function findTool(tools: readonly ToolSummary[], given: string): ToolSummary | undefined {
  const exact = tools.find(({ name, tool_id }) => name === given || tool_id === given)
  if (exact !== undefined || given === '') return exact
  const found = tools.filter(({ name }) => name.endsWith(`.${given}`))
  return found.length === 1 ? found[0] : undefined
}

/** How a call would be decided. It is not made, and nothing is recorded. */
export function ExplainForm(): ReactNode {
  const [tool, setTool] = useQueryValue('tool')
  // Each tool has an input of its own.
  const [drafts, setDrafts] = useState<Readonly<Record<string, FormDraft>>>({})
  const [caller, setCaller] = useState({ actor: '', session: '', mode: '' })
  const [explained, setExplained] = useState<ExplainedCall>()
  const action = useAction()
  const tools = useTools()
  const known = findTool(tools.data ?? [], tool.trim())
  const detail = useResource(known && `tool ${known.tool_id}`, (signal) =>
    getTool(known?.tool_id ?? '', signal),
  )
  const draftKey = known?.tool_id ?? ''
  const draft = drafts[draftKey] ?? EMPTY
  const schema = known === undefined ? undefined : detail.data?.input_schema
  const explain = (): void =>
    action.run(async () => {
      const given = Object.entries(caller).filter(([, value]) => value.trim() !== '')
      setExplained(
        await explainCall({ tool: tool.trim(), input: draft.value ?? {}, ...Object.fromEntries(given) }),
      )
    })
  const field = (name: 'actor' | 'session', label: string): ReactNode => (
    <div className="field">
      <label htmlFor={`explain-${name}`}>{label}</label>
      <input
        id={`explain-${name}`}
        className="input"
        value={caller[name]}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setCaller({ ...caller, [name]: event.target.value })}
      />
    </div>
  )
  return (
    <div className="explain-columns">
      <form
        className="section"
        aria-label="A call"
        onSubmit={(event) => {
          event.preventDefault()
          explain()
        }}
      >
        <div className="field">
          <label htmlFor="explain-tool">Tool</label>
          <ToolInput
            id="explain-tool"
            value={tool}
            onChange={setTool}
            tools={tools.data ?? []}
            placeholder="any name of a tool, or a name such as Bash"
          />
        </div>
        <SchemaForm
          key={`${draftKey} ${schema !== undefined}`}
          schema={schema}
          draft={draft}
          onChange={(next) => setDrafts({ ...drafts, [draftKey]: next })}
          errors={[]}
          label="Input"
        />
        <div className="explain-caller">
          {field('actor', 'Agent')}
          {field('session', 'Session')}
          <div className="field">
            <label htmlFor="explain-mode">Mode</label>
            <select
              id="explain-mode"
              className="input"
              value={caller.mode}
              onChange={(event) => setCaller({ ...caller, mode: event.target.value })}
            >
              <option value="">as configured</option>
              {permissionModes.map((mode) => (
                <option key={mode} value={mode}>
                  {mode}
                </option>
              ))}
            </select>
          </div>
        </div>
        <div className="actions">
          <button
            type="submit"
            className="button primary"
            disabled={action.isBusy || tool.trim() === '' || draftProblems(draft).length > 0}
          >
            Explain
          </button>
          <span className="muted">Nothing runs and nothing is recorded.</span>
        </div>
      </form>
      <section className="section" aria-labelledby="explanation" aria-live="polite">
        <h2 id="explanation" className="visually-hidden">
          Explanation
        </h2>
        <ErrorBox error={action.error} />
        {explained !== undefined && action.error === undefined && <ExplainedCallView explained={explained} />}
        {explained === undefined && action.error === undefined && (
          <p className="muted">
            The decision appears here, with the rule that makes it, the rules that lose, and what would change
            it.
          </p>
        )}
      </section>
    </div>
  )
}
