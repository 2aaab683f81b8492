import type { Examples } from '@lyceum/contract/openapi'
import { activities } from './activities.ts'
import { feeds } from './feeds.ts'
import { links } from './links.ts'
import type { Cast, Scene } from './scene.ts'
import { createStage } from './stage.ts'
import { surveys } from './surveys.ts'

/** The story in the order in which it is played; ids in the examples follow from it, so that a new scene comes last. */
const SCENES: readonly Scene[] = [feeds, surveys, links, activities]

/** Plays the whole story on a fresh server and gives what was shown. */
export const recordExamples = async (): Promise<Examples> => {
  const stage = await createStage()
  try {
    const cast: Cast = {
      ines: await stage.person({ username: 'ines', displayName: 'Inês Duarte', role: 'admin' }),
      ben: await stage.person({ username: 'ben', displayName: 'Ben Okafor' }),
      mara: await stage.person({ username: 'mara', displayName: 'Mara Lindqvist' }),
      yuki: await stage.person({ username: 'yuki', displayName: 'Yuki Tanaka' }),
    }
    for (const scene of SCENES) {
      await scene(stage, cast)
      await stage.settle()
      stage.advance(1800)
    }
    return stage.examples()
  } finally {
    await stage.close()
  }
}
