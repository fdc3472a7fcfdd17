import { useState, type ReactNode } from 'react'
import type { AlwaysChoice, ApprovalItem } from '../../api/types.js'
import { Dialog } from '../../ui/dialog.js'
import { ErrorBox } from '../../ui/error-box.js'
import { Text } from '../../ui/text.js'
import type { Answering } from './use-answer.js'

interface AlwaysDialogProps {
  readonly item: ApprovalItem
  readonly answering: Answering
  readonly onClose: () => void
}

/** Approves, and changes a rule so that the like is not asked again. */
export function AlwaysDialog({ item, answering, onClose }: AlwaysDialogProps): ReactNode {
  const [chosen, setChosen] = useState(0)
  const choices = distinct(item.always)
  const choice = choices[chosen]
  const send = (): void => {
    if (choice !== undefined) answering.send({ approved: true, scope: choice.scope, update: choice.update })
  }
  return (
    <Dialog
      title="Approve, and do not ask again"
      onClose={onClose}
      footer={
        <>
          <button type="button" className="button" onClick={onClose}>
            Back
          </button>
          <button type="button" className="button primary" disabled={answering.isBusy} onClick={send}>
            Approve, run, and change the rule
          </button>
        </>
      }
    >
      <p>The call runs now. This rule is added, and calls that match it run without a question:</p>
      <div className="choices" role="radiogroup" aria-label="The rule to add">
        {choices.map((each, index) => (
          <label key={index} className="choice">
            <input
              type="radio"
              name="always"
              data-autofocus={index === 0 ? true : undefined}
              checked={index === chosen}
              onChange={() => setChosen(index)}
            />
            <span>
              <strong>{scopeWords(each)}</strong>
              <code>
                <Text>{each.sentence}</Text>
              </code>
            </span>
          </label>
        ))}
      </div>
      <ErrorBox error={answering.error} />
    </Dialog>
  )
}

/** Two suggested changes can come to the same rule. */
function distinct(choices: readonly AlwaysChoice[]): readonly AlwaysChoice[] {
  return choices.filter(
    ({ sentence }, index) => choices.findIndex((each) => each.sentence === sentence) === index,
  )
}

function scopeWords({ scope }: AlwaysChoice): string {
  switch (scope) {
    case 'session':
      return 'In this session'
    case 'always':
      return 'From now on, for everybody whom the rule applies to'
    case 'once':
      return 'Only this call'
    default:
      return scope satisfies never
  }
}
