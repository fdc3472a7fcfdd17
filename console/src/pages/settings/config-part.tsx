import { useEffect, useState, type ReactNode } from 'react'
import { diffLines } from '../../../../src/platform/text/diff-lines.js'
import { toApiError } from '../../api/http.js'
import {
  getConfig,
  saveConfig,
  validateConfig,
  type ConfigFile,
  type ConfigProblem,
  type SavedConfig,
} from '../../api/settings.js'
import { useAction } from '../../live/use-action.js'
import { useResource } from '../../live/use-resource.js'
import { hasRole, useSession } from '../../shell/session.js'
import { Badge } from '../../ui/badge.js'
import { Diff } from '../../ui/diff.js'
import { Empty, Loading } from '../../ui/empty.js'
import { ErrorBox } from '../../ui/error-box.js'
import { Text } from '../../ui/text.js'
import { ConfigEditor } from './config-editor.js'

/** The config file. */
export function ConfigPart(): ReactNode {
  const { data, error, refresh } = useResource('config', getConfig, {
    events: { types: ['toolcrib.config.'] },
  })
  if (data !== undefined) return <Config file={data} refresh={refresh} />
  if (error === undefined) return <Loading />
  if (error.status === 404)
    return (
      <Empty title="This server has no config file" command="toolcrib serve --config toolcrib.yaml">
        Start the server with a config file, and it can be read and changed here.
      </Empty>
    )
  return (
    <div className="page-body">
      <ErrorBox error={error} onRetry={refresh} />
    </div>
  )
}

function Config({ file, refresh }: { readonly file: ConfigFile; readonly refresh: () => void }): ReactNode {
  const mayChange = hasRole(useSession(), 'operator') && file.is_editable
  // What the person edits is compared with the file as it was then, not as it is by now.
  const [base, setBase] = useState(file)
  const [text, setText] = useState(file.text)
  const [saved, setSaved] = useState<SavedConfig>()
  const isDirty = text !== base.text
  const problems = useProblems(text, isDirty)
  const action = useAction()
  const isConflict = isDirty && file.revision !== base.revision
  const hasErrors = problems.some(({ severity = 'error' }) => severity === 'error')
  useEffect(() => {
    if (!isDirty && file.revision !== base.revision) take(file)
  }, [file])
  useWarningBeforeLeaving(isDirty)

  const take = (next: ConfigFile): void => {
    setBase(next)
    setText(next.text)
    action.clear()
  }
  const save = (revision: string): void =>
    action.run(async () => {
      try {
        const answer = await saveConfig(text, revision)
        setBase({ ...base, text, revision: answer.revision })
        setSaved(answer)
      } catch (error) {
        // The file was changed meanwhile: the newest one is loaded, and shown beside this text.
        if ([409, 412].includes(toApiError(error).status)) refresh()
        throw error
      } finally {
        refresh()
      }
    })
  return (
    <div className="config-page">
      <div className="config-head">
        <code className="cut">
          <Text>{file.path ?? ''}</Text>
        </code>
        <Badge tone={file.is_trusted ? 'good' : 'warn'}>{file.is_trusted ? 'trusted' : 'not trusted'}</Badge>
        <span className="config-buttons">
          {isDirty && (
            <button type="button" className="button" disabled={action.isBusy} onClick={() => take(file)}>
              Discard
            </button>
          )}
          <button
            type="button"
            className="button primary"
            disabled={!mayChange || !isDirty || hasErrors || isConflict || action.isBusy}
            onClick={() => save(base.revision)}
          >
            Save
          </button>
        </span>
      </div>
      {!mayChange && (
        <p className="notice">
          <Text>
            {file.is_editable ? 'Only an operator can change the config.' : (file.why_not_editable ?? MASKED)}
          </Text>
        </p>
      )}
      {isConflict ? (
        <Conflict
          theirs={file}
          mine={text}
          onTake={() => take(file)}
          onOverwrite={() => save(file.revision)}
        />
      ) : (
        <ErrorBox error={action.error} />
      )}
      {saved !== undefined && !isDirty && <Saved saved={saved} />}
      <ConfigEditor text={text} problems={problems} isReadOnly={!mayChange} onChange={setText} />
      <ProblemList problems={problems} isDirty={isDirty} />
    </div>
  )
}

const MASKED = 'The config has secrets in it, which are not shown, so that it cannot be changed here.'
const TYPING_MS = 300

/** What is wrong with the text, soon after the person stops typing. */
function useProblems(text: string, isDirty: boolean): readonly ConfigProblem[] {
  const [problems, setProblems] = useState<readonly ConfigProblem[]>([])
  useEffect(() => {
    const control = new AbortController()
    const timer = setTimeout(
      () => {
        validateConfig(text, control.signal).then(
          (answer) => setProblems(answer.problems),
          (error: unknown) => {
            if (!control.signal.aborted) setProblems([{ message: toApiError(error).message }])
          },
        )
      },
      isDirty ? TYPING_MS : 0,
    )
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [text])
  return problems
}

function useWarningBeforeLeaving(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isDirty])
}

interface ConflictProps {
  readonly theirs: ConfigFile
  readonly mine: string
  readonly onTake: () => void
  readonly onOverwrite: () => void
}

function Conflict({ theirs, mine, onTake, onOverwrite }: ConflictProps): ReactNode {
  return (
    <section className="config-conflict" role="alert" aria-label="Conflict">
      <p>Somebody changed the file while you edited it. This is what your text would change in it now.</p>
      <Diff
        lines={diffLines(theirs.text.split('\n'), mine.split('\n'), { around: 3 })}
        label="From the file to your text"
      />
      <div className="actions">
        <button type="button" className="button" onClick={onTake}>
          Take the file
        </button>
        <button type="button" className="button danger" onClick={onOverwrite}>
          Save my text
        </button>
      </div>
    </section>
  )
}

function Saved({ saved }: { readonly saved: SavedConfig }): ReactNode {
  const { restart_keys: keys = [], untrusted_files: files = [], is_trusted: isTrusted } = saved
  return (
    <div className="section" role="status">
      <p className="notice">
        {keys.length === 0
          ? 'The config is saved and in force.'
          : `The config is saved. These keys take effect when the server is started again: ${keys.join(', ')}.`}
      </p>
      {isTrusted === false && (
        <p className="notice warn">
          <span>
            The config is not trusted yet, so that parts of it have no effect. Run <code>toolcrib trust</code>{' '}
            on the machine.
            {files.length > 0 && <Text>{` It names files that nobody trusted: ${files.join(', ')}.`}</Text>}
          </span>
        </p>
      )}
    </div>
  )
}

function ProblemList({
  problems,
  isDirty,
}: {
  readonly problems: readonly ConfigProblem[]
  readonly isDirty: boolean
}): ReactNode {
  return (
    <div className="config-problems" aria-live="polite">
      {problems.length === 0 && isDirty && <p className="muted">The text has no problems.</p>}
      {problems.map(({ line, message, severity = 'error' }, index) => (
        <p key={index} className={severity}>
          {line !== undefined && <span className="muted">line {line} </span>}
          <Text>{message}</Text>
        </p>
      ))}
    </div>
  )
}
