import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent as PlainAgent, request as plainRequest } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startPostgres } from '../../packages/server/test-support/services/postgres.ts'
import { startRedis } from '../../packages/server/test-support/services/redis.ts'

/*
 * Runs two instances on PostgreSQL and Redis behind the documented configurations of nginx and Caddy, restarts them one after the other under
 * load, and fails if a request fails. Usage: node deploy/test/rolling-restart.ts [REQUESTS]
 */

const LEAST = Number(process.argv[2] ?? 5000)
const CONNECTIONS = 8
const DRAIN_SECONDS = '3'
const PORTS = [21_400 + (process.pid % 200), 21_600 + (process.pid % 200)] as const
const PROXY_PORT = 21_800 + (process.pid % 200)
const HOST = 'community.example'
const PROGRAM = resolve('packages/server/bin/lyceum.mjs')

const folder = mkdtempSync(join(tmpdir(), 'lyceum-rolling-'))
const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
const envOf = (index: number) => ({
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: join(folder, 'compiled'),
  LYCEUM_DATA_DIR: join(folder, `data-${index}`),
  LYCEUM_DATABASE_URL: postgres.url,
  LYCEUM_REDIS_URL: redis.url,
  LYCEUM_SECRET: 'the same for both instances, as it has to be',
  LYCEUM_URL: `https://${HOST}`,
  LYCEUM_TRUST_PROXY: '127.0.0.1',
  LYCEUM_DRAIN_SECONDS: DRAIN_SECONDS,
  LYCEUM_RATE_LIMIT: 'off',
  LYCEUM_LOG_LEVEL: 'warn',
  LYCEUM_PORT: String(PORTS[index]),
})

const until = async (what: string, check: () => Promise<boolean> | boolean) => {
  for (const end = Date.now() + 120_000; Date.now() < end; ) {
    if (await check()) return
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error(`${what} took too long`)
}

const isReady = (port: number) =>
  fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  )

const startInstance = async (index: number): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [PROGRAM, 'serve'], { env: envOf(index), stdio: ['ignore', 'ignore', 'inherit'] })
  await until(`the start of instance ${index}`, () => isReady(PORTS[index] as number))
  return child
}

const stop = async (child: ChildProcess) => {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

const lyceum = (...args: string[]) => execFileSync(process.execPath, [PROGRAM, ...args], { env: envOf(0), encoding: 'utf8' })

/** The documented file for two instances on other ports, with a certificate of its own. */
const startNginx = (): ChildProcess => {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', `/CN=${HOST}`, '-days', '2', '-nodes', '-newkey', 'rsa:2048', '-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', ...subject], { stdio: 'ignore' })
  const site = readFileSync('deploy/nginx/lyceum.conf', 'utf8')
    .replace('# server 127.0.0.1:3001', 'server 127.0.0.1:3001')
    .replace('127.0.0.1:3000', `127.0.0.1:${PORTS[0]}`)
    .replace('127.0.0.1:3001', `127.0.0.1:${PORTS[1]}`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${PROXY_PORT} ssl`)
    .replace('/etc/ssl/community.pem', certificate)
    .replace('/etc/ssl/community.key', key)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${join(folder, name)};`)
  const main = `daemon off;\npid ${join(folder, 'nginx.pid')};\nevents {}\nhttp {\naccess_log off;\n${paths.join('\n')}\n${site}}\n`
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, main)
  return spawn('nginx', ['-e', join(folder, 'nginx.log'), '-c', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: `${process.env['PATH']}:/usr/sbin` },
  })
}

/** The documented file as it is. Without a public name there is no certificate, so it serves plain HTTP. */
const startCaddy = (): ChildProcess =>
  spawn('caddy', ['run', '--config', 'deploy/caddy/Caddyfile', '--adapter', 'caddyfile'], {
    stdio: ['ignore', 'ignore', 'ignore'],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      COMMUNITY_SITE: `http://${HOST}:${PROXY_PORT}`,
      COMMUNITY_SERVERS: PORTS.map((port) => `127.0.0.1:${port}`).join(' '),
    },
  })

const createClient = (secure: boolean, authorization: string) => {
  const options = { keepAlive: true, maxSockets: CONNECTIONS }
  const agent = secure ? new SecureAgent({ ...options, rejectUnauthorized: false, servername: HOST }) : new PlainAgent(options)
  const send = secure ? secureRequest : plainRequest
  return (method: string, path: string, body?: object): Promise<number | string> =>
    new Promise((done) => {
      const headers = { host: HOST, authorization, ...(body && { 'content-type': 'application/json' }) }
      const request = send({ agent, host: '127.0.0.1', port: PROXY_PORT, method, path: `/api/v2${path}`, headers }, (answer) => {
        answer.resume()
        answer.once('end', () => done(answer.statusCode ?? 0))
        answer.once('error', (error) => done(String(error)))
      })
      request.once('error', (error) => done(String(error)))
      request.end(body && JSON.stringify(body))
    })
}

const run = async (name: string, proxy: ChildProcess, secure: boolean, instances: ChildProcess[], authorization: string) => {
  const ask = createClient(secure, authorization)
  await until(`the start of ${name}`, async () => (await ask('GET', '/feeds')) === 200)
  const outcomes = new Map<string, number>()
  let sent = 0
  let restarts = 0
  let done = false
  const client = async () => {
    while (!done) {
      sent += 1
      const writes = sent % 10 === 0
      const answer = writes ? await ask('POST', '/feeds', { message: `Post ${sent}` }) : await ask('GET', '/feeds?per_page=5')
      const outcome = `${writes ? 'POST' : 'GET'} ${answer}`
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  }
  const clients = Array.from({ length: CONNECTIONS }, client)
  while (restarts < 4 || sent < LEAST) {
    const index = restarts % instances.length
    await stop(instances[index] as ChildProcess)
    instances[index] = await startInstance(index)
    restarts += 1
    // The health checks of the proxy notice it.
    await new Promise((next) => setTimeout(next, 3000))
  }
  done = true
  await Promise.all(clients)
  await stop(proxy)
  const failed = [...outcomes].filter(([outcome]) => outcome !== 'GET 200' && outcome !== 'POST 201')
  const failures = failed.reduce((sum, [, count]) => sum + count, 0)
  console.log(`${name}: ${sent} requests, ${restarts} restarts, ${failures} failed`, Object.fromEntries(outcomes))
  return failures
}

const started: ChildProcess[] = []
let failures = 0
try {
  started.push(await startInstance(0), await startInstance(1))
  lyceum('user', 'create', '--username', 'ana', '--email', 'ana@example.org', '--role', 'admin', '--password', 'a long enough passphrase 7')
  const told = lyceum('user', 'app-password', 'ana', '--name', 'load', '--json')
  const { password } = JSON.parse(told)
  const authorization = `Basic ${Buffer.from(`ana:${password}`).toString('base64')}`
  failures += await run('nginx', startNginx(), true, started, authorization)
  if (failures > 0) console.log(readFileSync(join(folder, 'nginx.log'), 'utf8'))
  failures += await run('Caddy', startCaddy(), false, started, authorization)
} finally {
  await Promise.all(started.map(stop))
  await Promise.all([postgres.stop(), redis.stop()])
  rmSync(folder, { recursive: true, force: true })
}
process.exit(failures > 0 ? 1 : 0)
