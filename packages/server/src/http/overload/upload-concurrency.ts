import type { Socket } from 'node:net'
import { tooMany } from '../../core/errors.ts'

interface Lane {
  taken: number
  readonly waiting: (() => void)[]
}

const RETRY_S = 10

/**
 * Lets each member have at most `most` uploads under way, from the first byte that is read until the file is stored; `waiting` more wait, and
 * their bytes with them on the network. So nobody fills the disk with files that never come to an end, or takes all turns at the images.
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
   * Gives what ends the stay; null: the client has gone while it waited.
   * @throws rate_limit_exceeded when too many wait
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
