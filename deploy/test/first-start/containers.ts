import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { type Started, setupLinkOf, sh } from './commands.ts'
import { blocksOf } from './guide.ts'

const IMAGE = 'localhost/lyceum:0.1.0'

/**
 * A program `docker` that is podman, with its storage in `folder`. Cgroups and higher limits than its own are not for every machine of tests; they
 * restrict a container and change nothing else.
 */
const installDocker = (folder: string, image: string): NodeJS.ProcessEnv => {
  const programs = join(folder, 'bin')
  mkdirSync(programs, { recursive: true })
  writeFileSync(
    join(programs, 'docker'),
    `#!/bin/sh
command=$1; shift
[ "$command" = run ] && set -- --cgroups=disabled --ulimit nofile=10000:10000 --ulimit nproc=9000:9000 "$@"
exec podman --root '${folder}/storage' --runroot '${folder}/run' "$command" "$@"
`,
    { mode: 0o755 },
  )
  const env = { ...process.env, PATH: `${programs}:${process.env['PATH']}` }
  sh(`docker load -q -i ${image}`, folder, env)
  return env
}

const started = async (env: NodeJS.ProcessEnv, folder: string, isLate: AbortSignal): Promise<Started> => ({
  setupLink: await setupLinkOf(() => sh('docker logs lyceum 2>&1', folder, env), isLate),
  stop: () => {
    const left = sh(
      'docker stop --time 30 lyceum >/dev/null; docker inspect --format "{{.State.ExitCode}}" lyceum; docker rm lyceum >/dev/null',
      folder,
      env,
    )
    if (left.trim() !== '0') throw new Error(`the container ended with ${left}`)
  },
})

/** The command of the guide. */
export const startContainer = async (folder: string, image: string, port: number) => {
  const env = installDocker(folder, image)
  const command = blocksOf('containers.md', 'Build the image')[1]?.split(/\ndocker logs/)[0] ?? ''
  return (isLate: AbortSignal) => {
    sh(command.replace('127.0.0.1:3000:', `127.0.0.1:${port}:`), folder, env)
    return started(env, folder, isLate)
  }
}

interface Service {
  readonly environment: Readonly<Record<string, string>>
  readonly [setting: string]: unknown
}

/** Reads a value such as `${PUBLISHED_PORT:-3000}`. */
const filled = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replace(/\$\{(\w+):-([^}]*)\}/g, (_, name: string, other: string) => variables[name] ?? other)

/** What `docker run` needs for a setting of a service. An unknown setting is an error, so that none is forgotten. */
const OPTIONS: Readonly<Record<string, (value: never) => string[]>> = {
  environment: (value: Record<string, string>) => Object.entries(value).flatMap(([name, one]) => ['-e', `${name}=${one}`]),
  ports: (value: string[]) => value.flatMap((one) => ['-p', one]),
  volumes: (value: string[]) => value.flatMap((one) => ['-v', one]),
  tmpfs: (value: string[]) => value.flatMap((one) => ['--tmpfs', one]),
  read_only: (value: boolean) => [`--read-only=${value}`],
  cap_drop: (value: string[]) => value.flatMap((one) => ['--cap-drop', one]),
  security_opt: (value: string[]) => value.flatMap((one) => ['--security-opt', one.replace(':true', '')]),
  restart: (value: string) => ['--restart', value],
  stop_grace_period: (value: string) => ['--stop-timeout', value.replace('s', '')],
  image: () => [],
  build: () => [],
  depends_on: () => [],
  env_file: () => ['--env-file', '.env'],
}

/** The service `lyceum` of compose.yaml with .env.example, without profiles. */
export const startService = async (folder: string, image: string, port: number) => {
  const env = installDocker(folder, image)
  const { services } = parse(readFileSync('deploy/compose.yaml', 'utf8')) as { services: { lyceum: Service } }
  writeFileSync(join(folder, '.env'), readFileSync('deploy/.env.example', 'utf8').replace(/^COMPOSE_PROFILES=.*$/m, 'COMPOSE_PROFILES='))
  const options = Object.entries(services.lyceum).flatMap(([name, value]) => {
    const made = OPTIONS[name]
    if (!made) throw new Error(`this test does not know the setting ${name} of compose.yaml`)
    return made(value as never)
  })
  const words = options.map((option) => `'${filled(option, { PUBLISHED_PORT: String(port) })}'`)
  return (isLate: AbortSignal) => {
    sh(`docker run -d --name lyceum ${words.join(' ')} ${IMAGE}`, folder, env)
    return started(env, folder, isLate)
  }
}

export const missingForContainers = (image: string): string | undefined => {
  if (!existsSync(image)) return `no image: run deploy/test/image.sh with the same folder first (${image})`
  try {
    sh('command -v podman', '.')
  } catch {
    return 'podman is not installed'
  }
  return undefined
}
