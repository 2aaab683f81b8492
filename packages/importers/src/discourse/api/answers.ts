/** The parts of API responses that are read. All fields may be missing; read lists with `itemsOf`. */

export const itemsOf = <Item>(list: readonly Item[] | null | undefined): readonly Item[] =>
  Array.isArray(list) ? list.filter((item) => item !== null && item !== undefined) : []

export interface SiteAnswer {
  readonly categories?: readonly CategoryAnswer[]
}

export interface CategoryAnswer {
  readonly id: number
  readonly name?: string
  readonly slug?: string
  readonly description?: string | null
  readonly position?: number
  readonly read_restricted?: boolean
  readonly parent_category_id?: number | null
  readonly topic_url?: string | null
  readonly uploaded_logo?: { readonly url?: string } | null
  readonly uploaded_background?: { readonly url?: string } | null
}

export interface CategoryDetails {
  readonly category?: {
    readonly group_permissions?: readonly { readonly group_id?: number; readonly group_name?: string; readonly permission_type?: number }[]
  }
}

export interface TopicsAnswer {
  readonly topic_list?: {
    readonly topics?: readonly {
      readonly id: number
      readonly archetype?: string
      readonly category_id?: number | null
      readonly bumped_at?: string
    }[]
    readonly more_topics_url?: string | null
  }
}

export interface TopicAnswer {
  readonly id: number
  readonly title?: string
  readonly slug?: string
  readonly created_at?: string
  readonly last_posted_at?: string
  readonly bumped_at?: string
  readonly category_id?: number | null
  readonly user_id?: number
  readonly archetype?: string
  readonly visible?: boolean
  readonly closed?: boolean
  readonly archived?: boolean
  readonly pinned_at?: string | null
  readonly pinned_until?: string | null
  readonly pinned_globally?: boolean
  readonly deleted_at?: string | null
  /** Names; since 2025, objects with names. */
  readonly tags?: readonly (string | { readonly name?: string })[]
  readonly post_stream?: { readonly posts?: readonly PostAnswer[]; readonly stream?: readonly number[] }
}

export interface PostAnswer {
  readonly id: number
  readonly username?: string
  readonly name?: string | null
  readonly avatar_template?: string
  readonly user_id?: number | null
  readonly admin?: boolean
  readonly moderator?: boolean
  readonly created_at?: string
  readonly updated_at?: string
  readonly raw?: string
  readonly cooked?: string
  readonly post_number?: number
  readonly post_type?: number
  readonly reply_to_post_number?: number | null
  readonly version?: number
  readonly hidden?: boolean
  readonly user_deleted?: boolean
  readonly deleted_at?: string | null
  readonly accepted_answer?: boolean
  readonly actions_summary?: readonly { readonly id?: number; readonly count?: number }[]
  readonly polls?: readonly PollAnswer[]
}

export interface PollAnswer {
  readonly id?: number
  readonly name?: string
  readonly title?: string | null
  readonly type?: string
  readonly status?: string
  readonly results?: string
  readonly close?: string | null
  /** Whether voters are public. */
  readonly public?: boolean
  readonly options?: readonly { readonly id?: string; readonly html?: string; readonly votes?: number }[]
}

export interface PostsAnswer {
  readonly post_stream?: { readonly posts?: readonly PostAnswer[] }
}

export interface LikesAnswer {
  readonly post_action_users?: readonly {
    readonly id: number
    readonly username?: string
    readonly name?: string | null
    readonly avatar_template?: string
  }[]
}

export interface UserAnswer {
  readonly user?: {
    readonly created_at?: string
    readonly last_seen_at?: string | null
    readonly bio_raw?: string | null
    readonly bio_cooked?: string | null
    readonly location?: string | null
    readonly website?: string | null
    readonly profile_hidden?: boolean
    readonly suspended_till?: string | null
  }
}

export interface SettingsAnswer {
  readonly must_approve_users?: boolean
}

/** A user in the list that only administrators can read. */
export interface ListedUser {
  readonly id: number
  readonly username?: string
  readonly name?: string | null
  readonly email?: string | null
  readonly avatar_template?: string
  readonly active?: boolean
  readonly admin?: boolean
  readonly moderator?: boolean
  readonly staged?: boolean
  readonly approved?: boolean
  readonly created_at?: string
  readonly last_seen_at?: string | null
  readonly suspended_till?: string | null
  readonly silenced_till?: string | null
}

export interface GroupsAnswer {
  readonly groups?: readonly GroupAnswer[]
  readonly load_more_groups?: string | null
  readonly total_rows_groups?: number
}

export interface GroupAnswer {
  readonly id: number
  readonly name: string
  readonly full_name?: string | null
  readonly automatic?: boolean
  readonly bio_raw?: string | null
  readonly visibility_level?: number
  readonly members_visibility_level?: number
  readonly public_admission?: boolean
  readonly allow_membership_requests?: boolean
}

export interface MembersAnswer {
  readonly members?: readonly { readonly id: number; readonly added_at?: string | null }[]
  readonly owners?: readonly { readonly id: number }[]
  readonly meta?: { readonly total?: number }
}
