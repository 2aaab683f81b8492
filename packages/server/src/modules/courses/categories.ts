import { randomSuffix, slugify } from '@lyceum/content'
import type { Actor } from '../../core/context.ts'
import { type CourseCategoryRow, type Db, lockName, selectRows, statementOne } from '../../db/index.ts'
import { visibleCourses } from './access.ts'
import type { CourseFor } from './course-row.ts'

type Category = CourseCategoryRow

const bySlug = statementOne<Category>('select * from course_categories where slug = $1')
const byTitle = statementOne<Category>('select * from course_categories where lower(title) = lower($1) order by id limit 1')
const insert = statementOne<Category>('insert into course_categories (title, slug) values ($1, $2) returning *')

export const findCategory = async (db: Db, name: string): Promise<Category | undefined> => {
  const slug = slugify(name, 100)
  return (slug ? await bySlug(db, [slug]) : undefined) ?? byTitle(db, [name])
}

/** The id of the category with this name, created if missing; null for an empty name. */
export const categoryNamed = async (db: Db, name: string | null): Promise<number | null> => {
  const title = (name ?? '').replace(/\s+/g, ' ').trim()
  if (!title) return null
  await lockName(db, 'course categories')
  const found = (await findCategory(db, title)) ?? (await insert(db, [title, slugify(title, 100) || `category-${randomSuffix()}`]))
  return found?.id ?? null
}

/** Categories of the visible courses with this status. Categories of hidden courses would reveal them. */
export const listCategories = (db: Db, actor: Actor, status: CourseFor['status']): Promise<Category[]> =>
  selectRows<Category>(
    db,
    (p) => `select k.id, k.title, k.slug from course_categories k where exists (
        select 1 from courses c left join enrolments n on n.course_id = c.id and n.user_id = ${p(actor.id)}
        where c.category_id = k.id and c.status = ${p(status)} and ${visibleCourses(actor, p)})
      order by k.title, k.id`,
  )
