import type { Socket } from 'node:net'
import { tooMany } from '../../core/errors.ts'

interface Lane {
  taken: number
  readonly waiting: (() => void)[]
}

const RETRY_S = 10

/**
 * Limits the concurrent uploads of each member, from the first byte until the file is stored. Further uploads, up to `waiting`, wait
 * without being read. This keeps a member from filling the disk with unfinished files or the image queue with theirs.
 */
export const createUploadSlots = (most: number, waiting: number) => {
  const lanes = new Map<number, Lane>()

  const leave = (member: number, lane: Lane) => {
    const next = lane.waiting.shift()
    if (next) return next()
    lane.taken -= 1
    if (lane.taken === 0) lanes.delete(member)
  }

  /**
   * Resolves to a function that releases the place, or to null if the client disconnected while waiting.
   * @throws rate_limit_exceeded if too many wait
   */
  return async (member: number, socket: Socket): Promise<(() => void) | null> => {
    const lane = lanes.get(member) ?? { taken: 0, waiting: [] }
    lanes.set(member, lane)
    if (lane.taken < most) {
      lane.taken += 1
      return () => leave(member, lane)
    }
    if (lane.waiting.length >= waiting) throw tooMany(RETRY_S)
    const isHere = await new Promise<boolean>((resolve) => {
      const enter = () => {
        socket.off('close', give)
        resolve(true)
      }
      const give = () => {
        lane.waiting.splice(lane.waiting.indexOf(enter), 1)
        resolve(false)
      }
      lane.waiting.push(enter)
      socket.once('close', give)
    })
    return isHere ? () => leave(member, lane) : null
  }
}
