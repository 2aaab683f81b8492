import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stageOf } from './request-phases.ts'

interface Frame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
}

interface Node {
  readonly id: number
  readonly callFrame: Frame
  readonly children?: readonly number[]
}

export interface Profile {
  readonly nodes: readonly Node[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

const INTERVAL_US = 200
const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Records a CPU profile of the process at this debugger URL while `work` runs. */
export const profileDuring = async (inspector: string, work: () => Promise<unknown>): Promise<Profile> => {
  const socket = new WebSocket(inspector)
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  socket.onmessage = ({ data }) => {
    const { id, result, error } = JSON.parse(data)
    if (error) waiting.get(id)?.reject(new Error(error.message))
    else waiting.get(id)?.resolve(result)
  }
  let calls = 0
  const call = (method: string, params = {}) => {
    const id = ++calls
    const answer = Promise.withResolvers<unknown>()
    waiting.set(id, answer)
    socket.send(JSON.stringify({ id, method, params }))
    return answer.promise
  }
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = () => reject(new Error('the debugger does not respond'))
  })
  await call('Profiler.enable')
  await call('Profiler.setSamplingInterval', { interval: INTERVAL_US })
  await call('Profiler.start')
  await work()
  const { profile } = (await call('Profiler.stop')) as { profile: Profile }
  socket.close()
  return profile
}

const placeOf = (url: string) => {
  if (!url) return '(native)'
  if (!url.startsWith('file:')) return url
  return relative(ROOT, fileURLToPath(url)).replace(/^(\.\.\/)*.*node_modules\//, '')
}

const isNative = ({ url }: Frame) => url === ''
/** Name of functions created by `new Function`; in this server those are serializers. */
const isGenerated = ({ functionName, url }: Frame) => url === '' && /^anonymous\d*$/.test(functionName)

/** Native functions without a name are identified by their caller. */
const nameOf = (frame: Frame, caller: Frame | undefined): string => {
  const { functionName, lineNumber, url } = frame
  if (!isNative(frame)) return `${functionName || '(anonymous)'}  ${placeOf(url)}:${lineNumber + 1}`
  if (isGenerated(frame)) return `${functionName}  (generated)`
  return functionName || !caller ? functionName || '(native)' : `(native)  called by ${nameOf(caller, undefined)}`
}

/** Groups libraries by name, our code by file, and Node in one group. */
const ownerOf = (frame: Frame) => {
  const { functionName, url } = frame
  if (isGenerated(frame)) return '(generated)'
  if (isNative(frame)) return functionName.startsWith('(') ? functionName : '(native)'
  if (url.startsWith('node:')) return 'node'
  const place = placeOf(url)
  if (place.startsWith('packages/')) return place
  return /^(@[^/]+\/)?[^/]+/.exec(place)?.[0] ?? place
}

type Table = ReadonlyMap<string, number>

const add = (table: Map<string, number>, key: string, time: number) => table.set(key, (table.get(key) ?? 0) + time)

/** Time in µs by phase, by function (self and total), and by file or library. */
export const summarise = ({
  nodes,
  samples,
  timeDeltas,
}: Profile): { stages: Table; self: Table; total: Table; owners: Table; busy: number } => {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const spent = new Map<number, number>()
  for (const [i, id] of samples.entries()) spent.set(id, (spent.get(id) ?? 0) + (timeDeltas[i] ?? 0))

  const callerOf = (id: number) => byId.get(parents.get(id) ?? -1)?.callFrame
  function* framesAbove(id: number) {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const frame = byId.get(at)?.callFrame
      if (frame) yield { where: placeOf(frame.url), name: frame.functionName }
    }
  }
  const stages = new Map<string, number>()
  const self = new Map<string, number>()
  const total = new Map<string, number>()
  const owners = new Map<string, number>()
  let busy = 0
  for (const [id, time] of spent) {
    const node = byId.get(id)
    if (!node || node.callFrame.functionName === '(idle)') continue
    busy += time
    add(stages, stageOf(framesAbove(id)), time)
    add(self, nameOf(node.callFrame, callerOf(id)), time)
    add(owners, ownerOf(node.callFrame), time)
    const above = new Set<string>()
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const frame = byId.get(at)?.callFrame
      if (frame && frame.functionName !== '(root)') above.add(nameOf(frame, callerOf(at)))
    }
    for (const name of above) add(total, name, time)
  }
  return { stages, self, total, owners, busy }
}

const top = (title: string, table: Table, busy: number, count: number, lines: number) => {
  const rows = [...table].sort(([, a], [, b]) => b - a).slice(0, lines)
  const text = rows.map(
    ([name, time]) => `${((100 * time) / busy).toFixed(1).padStart(5)} %  ${(time / count).toFixed(1).padStart(7)} µs  ${name}`,
  )
  return `\n${title}\n${text.join('\n')}\n`
}

/** Prints the profile of `count` requests. */
export const printProfile = (profile: Profile, count: number, lines = 40) => {
  const { stages, self, total, owners, busy } = summarise(profile)
  const ours = new Map([...total].filter(([name]) => name.includes(' packages/')))
  process.stdout.write(
    `\n${count} requests, ${(busy / count).toFixed(0)} µs of the main thread each; shares of its busy time, µs a request\n`,
  )
  process.stdout.write(top('By stage', stages, busy, count, 30))
  process.stdout.write(top('By file or library (self)', owners, busy, count, 30))
  process.stdout.write(top('By function (self)', self, busy, count, lines))
  process.stdout.write(top('Our functions with what they call (awaited parts are not included)', ours, busy, count, lines))
}

export const saveProfile = (profile: Profile, file: string) => writeFileSync(file, JSON.stringify(profile))
