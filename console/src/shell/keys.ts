import { useEffect, useRef } from 'react'
import { createValue, useValue } from '../live/create-value.js'

/** A key or a sequence of keys, such as `j`, `?` or `g i`, and what it does. */
export interface KeyBinding {
  readonly keys: string
  readonly label: string
  readonly group: string
  readonly run: () => void
}

const MODIFIERS = ['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock']
const STORED_AS = 'toolcrib.keys'

const bindings = createValue<readonly KeyBinding[]>([])
/** Keys without a modifier disturb people who dictate, so they can be switched off. */
const areKeysOn = createValue(localStorage.getItem(STORED_AS) !== 'off')
/** The first key of a sequence, until its second one. */
let begun = ''

/** Keys that work while the component is shown. The latest binding of a key wins. */
export function useKeys(own: readonly KeyBinding[]): void {
  const latest = useRef(own)
  useEffect(() => {
    latest.current = own
  })
  const shape = own.map(({ keys, label }) => `${keys}\n${label}`).join('\n')
  useEffect(() => {
    const added = latest.current.map((binding, index) => ({
      ...binding,
      run: () => latest.current[index]?.run(),
    }))
    bindings.set([...bindings.get(), ...added])
    return () => bindings.set(bindings.get().filter((binding) => !added.includes(binding)))
  }, [shape])
}

export function useKeyBindings(): readonly KeyBinding[] {
  return useValue(bindings)
}

export function useKeysSwitch(): [boolean, (isOn: boolean) => void] {
  const isOn = useValue(areKeysOn)
  return [
    isOn,
    (next) => {
      areKeysOn.set(next)
      localStorage.setItem(STORED_AS, next ? 'on' : 'off')
    },
  ]
}

/** Started once. A form or an open dialog keeps its keys for itself. */
export function listenForKeys(): void {
  window.addEventListener('keydown', (event) => {
    // A key that is held down must not answer one question after the other.
    if (!areKeysOn.get() || event.defaultPrevented || event.repeat) return
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (document.querySelector('dialog[open]') !== null) return
    if (MODIFIERS.includes(event.key)) return
    // The second key of a mistyped sequence does nothing: alone it might approve a call.
    const binding = find(begun === '' ? event.key : `${begun} ${event.key}`)
    const isStart = bindings.get().some(({ keys }) => keys.startsWith(`${event.key} `))
    begun = begun === '' && binding === undefined && isStart ? event.key : ''
    if (binding === undefined) return
    event.preventDefault()
    binding.run()
  })
  window.addEventListener('pointerdown', () => {
    begun = ''
  })
}

function find(keys: string): KeyBinding | undefined {
  return bindings.get().findLast((binding) => binding.keys === keys)
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  )
}
