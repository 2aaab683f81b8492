import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Small files that take long. By default larger files begin first, and one of these alone at the end would leave the other processors idle. */
export const LONG = [
  'e2e/{accessible,base-path,reading,what-stays}.test.ts',
  'packages/demo/src/*.test.ts',
  'packages/harnesses/{cache-coherence,cost-by-shape,crash,data-leak-crawl,dependency-outages,differential,io-faults}/*.test.ts',
  'packages/harnesses/{kill-points,lifecycle,model-based,object-permissions,redos,xss}/*.test.ts',
  'packages/server/src/images/converter.unit.test.ts',
  'packages/server/test/{npm-start.unit,typed-sql}.test.ts',
  'packages/transfer/src/command/run-started.test.ts',
]

/** Starts the long files of each project before its others. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const long = new Set(LONG.flatMap((pattern) => globSync(pattern)).map((path) => resolve(path)))
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project.name)
    return [...byProject.values()].flatMap((some) => {
      const [first = [], others = []] = [true, false].map((isLong) => some.filter(({ moduleId }) => long.has(moduleId) === isLong))
      return [...first, ...others]
    })
  }
}
