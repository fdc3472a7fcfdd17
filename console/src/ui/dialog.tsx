import { useEffect, useId, useRef, type ReactNode } from 'react'
import { Icon } from './icon.js'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** The buttons below, the main one last. */
  readonly footer?: ReactNode
}

/**
 * A modal dialog. The browser keeps the focus inside and closes it with Esc. The focus starts at the element with the attribute
 * `data-autofocus`, or at the first one.
 */
export function Dialog({ title, onClose, children, footer }: DialogProps): ReactNode {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    dialog?.showModal()
    dialog?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      className="dialog"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onMouseDown={(event) => event.target === ref.current && onClose()}
    >
      <div className="dialog-body">
        <header className="dialog-header">
          <h2 id={titleId}>{title}</h2>
          <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
        {footer !== undefined && <footer className="dialog-footer">{footer}</footer>}
      </div>
    </dialog>
  )
}
