import { useEffect, useState, type ReactNode } from 'react'
import { createValue, useValue } from '../live/create-value.js'
import { Link } from '../shell/router.js'
import { Icon } from './icon.js'
import { Text, visibleText } from './text.js'

export interface Toast {
  readonly text: string
  readonly tone?: 'good' | 'bad' | 'info'
  readonly link?: { readonly to: string; readonly label: string }
}

const SHOWN_MS = 8_000
const MOST = 3
const toasts = createValue<readonly (Toast & { readonly id: number })[]>([])
let lastId = 0

/** Says that something was done, for some seconds, where nothing is that a person needs next. */
export function showToast(toast: Toast): void {
  lastId++
  toasts.set([...toasts.get(), { ...toast, id: lastId }].slice(-MOST))
}

export function Toasts(): ReactNode {
  const shown = useValue(toasts)
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map((toast) => (
        <OneToast key={toast.id} toast={toast} onEnd={() => dismiss(toast.id)} />
      ))}
    </div>
  )
}

function OneToast({ toast, onEnd }: { readonly toast: Toast; readonly onEnd: () => void }): ReactNode {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(onEnd, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isHeld])
  return (
    <div
      className={`toast ${toast.tone ?? 'info'}`}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className="toast-text" title={visibleText(toast.text)}>
        <Text>{toast.text}</Text>
      </span>
      {toast.link !== undefined && (
        <Link to={toast.link.to} onClick={onEnd}>
          {toast.link.label}
        </Link>
      )}
      <button type="button" className="icon-button" aria-label="Dismiss" onClick={onEnd}>
        <Icon name="close" />
      </button>
    </div>
  )
}

function dismiss(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id))
}
