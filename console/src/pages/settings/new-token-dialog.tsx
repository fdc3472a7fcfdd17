import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { listSurfaceNames } from '../../api/policy.js'
import { createToken, type CreatedToken } from '../../api/settings.js'
import type { Role } from '../../api/types.js'
import { useAction } from '../../live/use-action.js'
import { useResource } from '../../live/use-resource.js'
import { Dialog } from '../../ui/dialog.js'
import { ErrorBox } from '../../ui/error-box.js'
import { visibleText } from '../../ui/text.js'
import { ROLES } from './session-part.js'

interface NewTokenDialogProps {
  readonly onCreated: (token: CreatedToken) => void
  readonly onClose: () => void
}

const DAY_MS = 24 * 3_600_000
const PERIODS: readonly (readonly [string, number])[] = [
  ['1 day', 1],
  ['30 days', 30],
  ['90 days', 90],
  ['1 year', 365],
]

export function NewTokenDialog({ onCreated, onClose }: NewTokenDialogProps): ReactNode {
  const id = useId()
  const [name, setName] = useState('')
  const [roles, setRoles] = useState<readonly Role[]>(['caller'])
  const [surface, setSurface] = useState('')
  const [days, setDays] = useState('90')
  const [limit, setLimit] = useState('')
  const surfaces = useResource('surface names', listSurfaceNames)
  const action = useAction()
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const create = (event: FormEvent): void => {
    event.preventDefault()
    action.run(async () =>
      onCreated(
        await createToken({
          name: name.trim(),
          roles,
          ...(surface !== '' && { surface }),
          ...(limit !== '' && { rate_limit_per_minute: Number(limit) }),
          ...(days !== '' && { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
        }),
      ),
    )
  }
  return (
    <Dialog title="New token" onClose={onClose}>
      <form className="fields" onSubmit={create}>
        <div className="field">
          <label htmlFor={`${id}name`}>Name</label>
          <input
            id={`${id}name`}
            ref={first}
            className="input"
            value={name}
            required
            autoComplete="off"
            spellCheck={false}
            aria-describedby={`${id}help`}
            onChange={(event) => setName(event.target.value)}
          />
          <p id={`${id}help`} className="field-help">
            Letters, digits, dots, dashes and underscores. The calls of the token are recorded under it.
          </p>
        </div>
        <RoleChoices roles={roles} onChange={setRoles} />
        <div className="token-fields">
          <div className="field">
            <label htmlFor={`${id}surface`}>Surface</label>
            <select
              id={`${id}surface`}
              className="input"
              value={surface}
              onChange={(event) => setSurface(event.target.value)}
            >
              <option value="">any</option>
              {surfaces.data?.items.map((each) => (
                <option key={each.name} value={each.name}>
                  {visibleText(each.name)}
                </option>
              ))}
            </select>
          </div>
          <div className="field">
            <label htmlFor={`${id}days`}>Ends after</label>
            <select
              id={`${id}days`}
              className="input"
              value={days}
              onChange={(event) => setDays(event.target.value)}
            >
              {PERIODS.map(([words, each]) => (
                <option key={each} value={each}>
                  {words}
                </option>
              ))}
              <option value="">never</option>
            </select>
          </div>
          <div className="field">
            <label htmlFor={`${id}limit`}>Requests per minute</label>
            <input
              id={`${id}limit`}
              className="input"
              type="number"
              min={1}
              placeholder="no limit"
              value={limit}
              onChange={(event) => setLimit(event.target.value)}
            />
          </div>
        </div>
        <ErrorBox error={action.error} />
        <footer className="dialog-footer">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            className="button primary"
            disabled={action.isBusy || name.trim() === '' || roles.length === 0}
          >
            Create the token
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

interface RoleChoicesProps {
  readonly roles: readonly Role[]
  readonly onChange: (roles: readonly Role[]) => void
}

function RoleChoices({ roles, onChange }: RoleChoicesProps): ReactNode {
  const names = Object.keys(ROLES) as Role[]
  return (
    <fieldset className="fields nested">
      <legend>Roles</legend>
      {names.map((role) => (
        <label key={role} className="check role-choice">
          <input
            type="checkbox"
            checked={roles.includes(role)}
            onChange={(event) =>
              onChange(names.filter((each) => (each === role ? event.target.checked : roles.includes(each))))
            }
          />
          <span>
            {role} <span className="muted">{ROLES[role]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
