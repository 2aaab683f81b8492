import { Link } from '@tanstack/react-router'
import type { Feed } from '../queries.ts'
import style from './topics.module.css'

/** What a post is about; each leads to what else is. */
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
