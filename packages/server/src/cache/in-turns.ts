import { setImmediate } from 'node:timers/promises'

const FIRST_ITEMS = 10
/** JSON that is produced in one turn of the event loop, if each item has the same size. */
const TURN_BYTES = 1024 * 1024

/** Loads the JSON of items, all at once if they are short, and otherwise in several turns of the event loop. */
export const loadInTurns = async <Item>(
  items: readonly Item[],
  load: (part: readonly Item[]) => Promise<readonly (Buffer | undefined)[]>,
): Promise<readonly (Buffer | undefined)[]> => {
  const loaded = [...(await load(items.slice(0, FIRST_ITEMS)))]
  while (loaded.length < items.length) {
    const bytes = loaded.reduce((sum, json) => sum + (json?.length ?? 0), 0)
    const atOnce = Math.max(1, Math.floor((TURN_BYTES * loaded.length) / Math.max(1, bytes)))
    if (atOnce < items.length - loaded.length) await setImmediate()
    loaded.push(...(await load(items.slice(loaded.length, loaded.length + atOnce))))
  }
  return loaded
}
