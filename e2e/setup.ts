import type { TestProject } from 'vitest/node'
import { type Stage, serveCommunity } from './community.ts'

declare module 'vitest' {
  interface ProvidedContext {
    stage: Stage
  }
}

/** One community for all journeys; each creates the members it needs. */
export const setup = async (project: TestProject) => {
  const { stage, stop } = await serveCommunity()
  project.provide('stage', stage)
  return stop
}
