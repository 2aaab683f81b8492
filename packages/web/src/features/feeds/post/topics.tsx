import { Link } from '@tanstack/react-router'
import type { Feed } from '../queries.ts'
import style from './topics.module.css'

/** The topics of a post, each linking to its posts. */
export const PostTopics = ({ terms }: Pick<Feed, 'terms'>) =>
  terms.length > 0 && (
    <ul className={style.topics}>
      {terms.map(({ id, title, slug }) => (
        <li key={id}>
          <Link to="/" search={{ topic: slug }}>
            <bdi>#{title}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  )
