import type { ReactNode } from 'react'
import { listSurfaces, type SurfaceName } from '../../api/policy.js'
import { useResource } from '../../live/use-resource.js'
import { setQuery } from '../../shell/router.js'
import { visibleText } from '../../ui/text.js'
import { noteOf } from './shown-surface.js'

interface SurfaceChoiceProps {
  readonly names: readonly SurfaceName[]
  readonly name: string
  readonly id: string
}

const MOST_OPEN = 50

/** A surface of the config, an agent, or a surface that a session has open. */
export function SurfaceChoice({ names, name, id }: SurfaceChoiceProps): ReactNode {
  const open = useResource('surfaces', (signal) => listSurfaces({ limit: MOST_OPEN }, signal), {
    events: { types: ['tool.surface.created'] },
  })
  const groups = [
    ['Configured', names.filter(({ kind }) => kind === 'config')],
    ['Agents', names.filter(({ kind }) => kind === 'agent')],
  ] as const
  const opened = open.data?.items ?? []
  const isKnown = id === '' || opened.some(({ surface_id }) => surface_id === id)
  const choose = (value: string): void =>
    setQuery(
      value.startsWith('id:') ? { id: value.slice(3), surface: '' } : { id: '', surface: value.slice(5) },
    )
  return (
    <select
      className="input surface-choice"
      aria-label="Surface"
      value={id === '' ? `name:${name}` : `id:${id}`}
      onChange={(event) => choose(event.target.value)}
    >
      {groups.map(
        ([label, members]) =>
          members.length > 0 && (
            <optgroup key={label} label={label}>
              {members.map((each) => (
                <option key={each.name} value={`name:${each.name}`}>
                  {visibleText(each.name)}
                  {each.problem === undefined ? '' : ' (has a problem)'}
                </option>
              ))}
            </optgroup>
          ),
      )}
      {(opened.length > 0 || !isKnown) && (
        <optgroup label="Open now">
          {!isKnown && <option value={`id:${id}`}>{id}</option>}
          {opened.map((surface) => (
            <option key={surface.surface_id} value={`id:${surface.surface_id}`}>
              {visibleText(noteOf(surface))}
            </option>
          ))}
        </optgroup>
      )}
    </select>
  )
}
