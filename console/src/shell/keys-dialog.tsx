import type { ReactNode } from 'react'
import { Dialog } from '../ui/dialog.js'
import { useKeyBindings, useKeysSwitch } from './keys.js'

/** All keys that work now. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const bindings = useKeyBindings()
  const [isOn, setOn] = useKeysSwitch()
  const groups = [...new Set(bindings.map(({ group }) => group))]
  return (
    <Dialog title="Keys" onClose={onClose}>
      {groups.map((group) => (
        <section key={group}>
          <h3>{group}</h3>
          <dl className="keys">
            {bindings
              .filter((binding) => binding.group === group)
              .map(({ keys, label }) => (
                <div key={keys}>
                  <dt>
                    {keys.split(' ').map((key, index) => (
                      <kbd key={index}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{label}</dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
      <label className="check">
        <input type="checkbox" checked={isOn} onChange={(event) => setOn(event.target.checked)} />
        Keys are on
      </label>
    </Dialog>
  )
}
