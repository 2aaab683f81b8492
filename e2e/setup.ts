import type { TestProject } from 'vitest/node'
import { type Stage, serveCommunity } from './community.ts'

declare module 'vitest' {
  interface ProvidedContext {
    stage: Stage
  }
}

/** One community is there for all journeys; each brings the people that it is about. */
export const setup = async (project: TestProject) => {
  const { stage, stop } = await serveCommunity()
  project.provide('stage', stage)
  return stop
}
