import { afterAll, beforeAll } from 'vitest'
import { makeSchool, type School } from '#test/course-fixtures.ts'
import { makeSpace, type Space } from '#test/fixtures.ts'
import { makeQuiz, type QuizPlace, THREE } from '#test/quiz-stage.ts'
import { createWorld, type Member, type RawAnswer, type World } from '#test/world.ts'
import { differences, type Shape } from './shapes.ts'

export const ROOT = '//wp-json/fluent-community/v2'

export interface Stage {
  readonly world: World
  readonly admin: Member
  readonly ana: Member
  readonly ben: Member
  readonly space: Space
  /** By Ana, in the space, with a picture, a survey and two comments by Ben; liked by Ben. */
  readonly feed: number
  readonly comment: number
  readonly school: School
  readonly quiz: QuizPlace
}

/** A community with one of everything that clients show, with the mount on. */
export const makeStage = async (env: Record<string, string> = {}): Promise<Stage> => {
  const world = await createWorld({ env: { LYCEUM_COMPAT: 'fluentcommunity', ...env } })
  const admin = await world.member({ role: 'admin' })
  const [ana, ben] = [await world.member({ username: 'ana' }), await world.member({ username: 'ben' })]
  const space = await makeSpace(world, { members: [ana, ben], moderators: [admin] })
  const { data } = await ana.api.feeds.create({
    title: 'Seeds',
    message: 'Bring some, @ben',
    space_id: space.id,
    survey: {
      question: 'When?',
      options: [
        { slug: 'sat', label: 'Saturday' },
        { slug: 'sun', label: 'Sunday' },
      ],
    },
    media: [{ url: 'https://example.org/seeds.jpg', width: 40, height: 30 }],
  })
  const feed = data.id
  const comment = (await ben.api.comments.create({ feed_id: feed, comment: 'Gladly' })).data.id
  await ben.api.comments.create({ feed_id: feed, comment: 'On Sunday', parent_id: comment })
  await ben.api.reactions.toFeed({ feed_id: feed, type: 'like' })
  await ana.api.reactions.toComment({ feed_id: feed, comment_id: comment, type: 'like' })
  await ben.api.followers.follow({ username: 'ana' })
  const school = await makeSchool(admin, { lessons: 2, students: [ana] })
  const quiz = await makeQuiz(world, { questions: THREE, students: [ana] })
  await world.runPendingJobs()
  return { world, admin, ana, ben, space, feed, comment, school, quiz }
}

/** Sends a request to the mount; the answer must be 200 and have the shape. */
export const ask = async (who: Member, method: string, path: string, shape: Shape, body?: unknown) => {
  const answer = await who.raw(method, `${ROOT}${path}`, body)
  const found = answer.status === 200 ? differences(answer.body, shape) : [`${answer.status} ${answer.text}`]
  if (found.length > 0) throw new Error(`${method} ${path}\n${found.slice(0, 12).join('\n')}`)
  return answer.body
}

type Who = 'admin' | 'ana' | 'ben'

/** The stage of a test file. */
export const useStage = () => {
  let made: Stage | undefined
  beforeAll(async () => {
    made = await makeStage()
  })
  afterAll(() => made?.world.close())
  const here = (): Stage => {
    if (!made) throw new Error('the stage is not ready')
    return made
  }
  const as = (who: Who, method: string, path: string, shape: Shape, body?: unknown) => ask(here()[who], method, path, shape, body)
  return { here, as }
}

export const codeOf = ({ status, body }: RawAnswer) => [status, body?.code]
