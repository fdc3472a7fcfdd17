import { valueOf } from '../detection/arg.js'
import type { Call } from '../detection/call.js'
import type { Trace } from '../detection/trace.js'
import { guessProgram } from './guess-program.js'
import { tool } from './tool.js'
import { each, options, type EffectTable, type Usage } from './usage.js'
import { runBehindDashes, wrap } from './wrap.js'

const runsElsewhere = wrap({
  takes:
    '-e --env -u --user -w --workdir --detach-keys --env-file --index -n --name -v --volume -p --publish --network --net ' +
    '--entrypoint --mount -l --label -m --memory --cpus --cpu-shares --restart --platform --pull --hostname -h --add-host ' +
    '--device --cap-add --cap-drop --security-opt --tmpfs --log-driver --log-opt --ulimit --gpus --shm-size --runtime --ip ' +
    '--dns --pid --ipc --cidfile --expose --link --volumes-from --stop-signal --health-cmd --userns --group-add --annotation',
  flags:
    '-d -i -t -T -P -it -ti -dit -itd --rm --privileged --interactive --tty --detach --init --read-only --no-deps -q',
  before: ['text'],
  isElsewhere: true,
})

/** Folders of this machine that a container gets: `-v /here:/there`, `--mount source=/here`. */
function noteMounts({ args, from }: Call, trace: Trace): void {
  for (let at = from + 1; at < args.length; at++) {
    const value = valueOf(args[at]!)
    const given = /^(?:-v|--volume|--mount)$/.test(value) ? valueOf(args[at + 1] ?? '') : value
    const volume =
      /^(?:-v|--volume=)?([./~][^:]*):/.exec(given) ?? /(?:^|,)(?:source|src)=([^,]+)/.exec(given)
    if (volume?.[1] === undefined) continue
    trace.read(volume[1])
    if (!/:ro\b|readonly/.test(given)) trace.write(volume[1])
  }
}

function runImage(call: Call, trace: Trace): void {
  trace.openWorld('It may fetch an image.')
  noteMounts(call, trace)
  runInside(call, trace)
}

function runInside(call: Call, trace: Trace): void {
  guessProgram(undefined, call, trace)
  runsElsewhere(call, trace)
}

const looks: Usage = { rest: 'text' }
const fetches: Usage = { rest: 'text', isOpenWorld: true, isPartial: true }

const docker = tool({
  takes:
    '-H --host -c --context --config -l --log-level -f --file -p --project-name --project-directory --profile',
  verbs: {
    ...each('run create', runImage),
    ...each('exec', runInside),
    'compose exec': runInside,
    'compose run': runInside,
    'container exec': runInside,
    'container run': runImage,
    ...each('ps images inspect logs top stats port version info events history diff', looks),
    ...each('pull push login logout search', fetches),
    build: {
      rest: 'read',
      isOpenWorld: true,
      isPartial: true,
      takes: {
        '-f': 'read',
        '--file': 'read',
        '-t': 'text',
        '--build-arg': 'text',
        '--target': 'text',
        '-o': 'write',
      },
    },
    cp: { rest: 'read', last: 'replace', remote: 'containers' },
    save: { rest: 'text', takes: { '-o': 'replace', '--output': 'replace' } },
    export: { rest: 'text', takes: { '-o': 'replace', '--output': 'replace' } },
    load: { rest: 'text', isPartial: true, takes: { '-i': 'read', '--input': 'read' } },
    import: { rest: 'maybe', isPartial: true },
    'buildx build': { rest: 'read', isOpenWorld: true, isPartial: true },
  },
})

const kubectl = tool({
  takes:
    '-n --namespace --context --kubeconfig --cluster --user -s --server --as --token --request-timeout -v -l -o',
  values: { ...options('-f --filename -k --kustomize --kubeconfig --from-file --values', 'read') },
  isOpenWorld: true,
  verbs: {
    exec: runElsewhere,
    run: runElsewhere,
    cp: { rest: 'read', last: 'replace', remote: 'containers' },
    apply: {
      rest: 'maybe',
      isPartial: true,
      destroys: 'It may change what runs elsewhere.',
      takes: options('-f -k --filename --kustomize', 'read'),
    },
    replace: {
      rest: 'maybe',
      isPartial: true,
      destroys: 'It may change what runs elsewhere.',
      takes: options('-f -k --filename', 'read'),
    },
    edit: { rest: 'text', isPartial: true },
  },
})

function runElsewhere(call: Call, trace: Trace): void {
  const wasElsewhere = trace.isElsewhere
  trace.isElsewhere = true
  guessProgram(undefined, call, trace)
  runBehindDashes(call, trace)
  trace.isElsewhere = wasElsewhere
}

const cloud = tool({
  isOpenWorld: true,
  takes:
    '--region --profile --output -o --query --project --subscription -g --resource-group -n --name --format -R --repo',
  values: options(
    '--template-file --config-file --key-file --cli-input-json --zip-file --policy-document',
    'read',
  ),
})

/** Programs that work on other machines, containers and services. */
export const remoteTools: EffectTable = {
  ...each('docker podman nerdctl docker-compose podman-compose', docker),
  ...each('kubectl oc k kubectl.exe', kubectl),
  ...each('terraform tofu terragrunt pulumi cdk packer sam serverless sls', (call, trace) => {
    cloud(call, trace)
    const words = call.args.slice(call.from + 1).map(valueOf)
    if (words.some((word) => /^(?:apply|destroy|taint|import|deploy|up|force-unlock)$|^-destroy$/.test(word)))
      trace.destructive('It may change or destroy what runs elsewhere.')
  }),
  ...each(
    'aws gcloud az gh glab hub-cli heroku vercel netlify fly flyctl doctl linode-cli oci ibmcloud aliyun auth0',
    cloud,
  ),
  ...each('helm helmfile argocd flux istioctl eksctl k9s kustomize skaffold minikube kind', cloud),
  ...each(
    'vault consul nomad boundary circleci gitlab-runner velero supabase firebase wrangler railway render stripe',
    cloud,
  ),
  ...each('op doppler aws-vault chamber mise dotenv teller', (call, trace) => {
    cloud(call, trace)
    runBehindDashes(call, trace)
  }),
  ...each(
    'rabbitmqctl rabbitmqadmin nats kafka-topics kafka-configs kafka-acls kafka-consumer-groups kcat etcdctl',
    broker,
  ),
  ...each('ansible ansible-playbook ansible-pull ansible-galaxy ansible-console', {
    rest: 'maybe',
    isOpenWorld: true,
    isPartial: true,
    takes: options('-i --inventory --vault-password-file --private-key --key-file', 'read'),
  }),
  ...each('lxc incus vagrant multipass adb wsl', (call, trace) => {
    guessProgram(undefined, call, trace)
    const at = call.args.findIndex(
      (arg, place) => place > call.from && /^(?:shell|--|-c)$/.test(valueOf(arg)),
    )
    if (at === -1) return
    trace.isElsewhere = true
    trace.engine.run(call.args, { from: at + 1, by: call.index }, trace)
    trace.isElsewhere = false
  }),
  ...each('restic borg', tool({ isOpenWorld: true })),
}

function broker(call: Call, trace: Trace): void {
  trace.openWorld('It talks to other machines.')
  guessProgram(undefined, call, trace)
  const words = call.args.slice(call.from + 1).map(valueOf)
  for (const [at, word] of words.entries()) {
    if (/^(?:--)?(?:delete|purge|remove|reset|rm|stop)/.test(word))
      trace.destructive('It deletes or stops something.')
    if (/^--(?:bootstrap-server|zookeeper|server|host|endpoints)$/.test(word)) trace.host(words[at + 1] ?? '')
  }
}
