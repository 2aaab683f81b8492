import type { Answers } from '@lyceum/sdk'
import { useTranslation } from 'react-i18next'
import type { FieldError } from '../../../lib/api-form.ts'
import { client } from '../../../lib/client.ts'
import { EntryList, type Keyed, keyed, unkeyed } from '../../../ui/entry-list.tsx'
import { Check, TextField } from '../../../ui/field.tsx'
import { MAX_EMOJI_LENGTH } from '../../community/menu.tsx'
import { FormSection } from '../form-kit.tsx'
import style from './settings.module.css'
import { SettingsPageForm } from './settings-form.tsx'

type Page = Answers['settingsPages']['menu']['menuSettings']
type Entry = Page['mainMenuItems'][number]
type Group = Omit<Page['afterCommunityLinkGroups'][number], 'items'> & { readonly items: readonly Keyed<Entry>[] }
const LISTS = ['mainMenuItems', 'beforeCommunityMenuItems', 'profileDropdownItems'] as const
type Draft = Readonly<Record<(typeof LISTS)[number], readonly Keyed<Entry>[]>> & { readonly groups: readonly Keyed<Group>[] }

const BLANK = { slug: '', title: '', permalink: '', icon: '', enabled: 'yes', new_tab: 'no', is_system: 'no' } as const

const draftOf = ({ afterCommunityLinkGroups: groups, ...page }: Page, before?: Draft): Draft => ({
  mainMenuItems: keyed(page.mainMenuItems, before?.mainMenuItems),
  beforeCommunityMenuItems: keyed(page.beforeCommunityMenuItems, before?.beforeCommunityMenuItems),
  profileDropdownItems: keyed(page.profileDropdownItems, before?.profileDropdownItems),
  groups: keyed(
    groups.map(({ items, ...group }, at) => ({ ...group, items: keyed(items, before?.groups[at]?.items) })),
    before?.groups,
  ),
})
const pageOf = ({ groups, ...lists }: Draft): Page => ({
  mainMenuItems: unkeyed(lists.mainMenuItems),
  beforeCommunityMenuItems: unkeyed(lists.beforeCommunityMenuItems),
  profileDropdownItems: unkeyed(lists.profileDropdownItems),
  afterCommunityLinkGroups: unkeyed(groups).map(({ items, ...group }) => ({ ...group, items: unkeyed(items) })),
})

interface MenuProps {
  readonly entries: readonly Keyed<Entry>[]
  /** Field name of the list in the API. */
  readonly path: string
  readonly wrong: FieldError | null
  readonly onChange: (entries: readonly Keyed<Entry>[]) => void
}

/** Entries of one menu. Entries that belong to other apps are not shown, but keep their positions. */
const Menu = ({ entries, path, wrong, onChange }: MenuProps) => {
  const { t } = useTranslation('admin')
  const own = entries.filter(({ is_system }) => is_system === 'no')
  const put = (changed: readonly Keyed<Entry>[]) => {
    const rest = [...changed]
    onChange([...entries.flatMap((entry) => (entry.is_system === 'no' ? rest.splice(0, 1) : [entry])), ...rest])
  }
  return (
    <EntryList
      look={style.entry}
      entries={own}
      blank={BLANK as Entry}
      most={50 - entries.length + own.length}
      add={t('menus.add')}
      nameOf={({ title }) => title || t('menus.newEntry')}
      onChange={put}
    >
      {(entry, change) => (
        <>
          <TextField
            label={t('menus.title')}
            value={entry.title}
            required
            maxLength={100}
            onChange={(event) => change({ title: event.currentTarget.value })}
          />
          <TextField
            label={t('menus.icon')}
            value={entry.icon}
            maxLength={MAX_EMOJI_LENGTH}
            onChange={(event) => change({ icon: event.currentTarget.value })}
          />
          <TextField
            label={t('menus.permalink')}
            value={entry.permalink}
            error={wrong?.field === `${path}.${entries.indexOf(entry)}.permalink` ? wrong.message : undefined}
            required
            maxLength={2048}
            inputMode="url"
            placeholder={t('menus.addressHint')}
            onChange={(event) => change({ permalink: event.currentTarget.value.trim() })}
          />
          <div className={style.switches}>
            <Check
              label={t('menus.enabled')}
              checked={entry.enabled === 'yes'}
              onChange={(event) => change({ enabled: event.currentTarget.checked ? 'yes' : 'no' })}
            />
            <Check
              label={t('menus.newTab')}
              checked={entry.new_tab === 'yes'}
              onChange={(event) => change({ new_tab: event.currentTarget.checked ? 'yes' : 'no' })}
            />
          </div>
        </>
      )}
    </EntryList>
  )
}

export const MenusPage = () => {
  const { t } = useTranslation('admin')
  return (
    <SettingsPageForm<Draft>
      area="menus"
      read={async () => draftOf((await client.settingsPages.menu()).menuSettings)}
      save={async (draft) => draftOf((await client.settingsPages.saveMenu({ menuSettings: pageOf(draft) })).menuSettings, draft)}
      shows={(field) => field.endsWith('.permalink')}
    >
      {(page, change, wrong) => (
        <>
          {LISTS.map((name) => (
            <FormSection key={name} title={t(`menus.${name}`)} hint={t(`menus.${name}Hint`)}>
              <Menu entries={page[name]} path={name} wrong={wrong} onChange={(entries) => change({ [name]: entries })} />
            </FormSection>
          ))}
          <FormSection title={t('menus.groups')} hint={t('menus.groupsHint')}>
            <EntryList
              look={style.entry}
              entries={page.groups}
              blank={{ slug: '', title: '', items: [] } as Group}
              most={20}
              add={t('menus.addGroup')}
              nameOf={({ title }) => title || t('menus.newGroup')}
              onChange={(groups) => change({ groups })}
            >
              {(group, alter) => (
                <>
                  <TextField
                    label={t('menus.groupTitle')}
                    value={group.title}
                    maxLength={100}
                    onChange={(event) => alter({ title: event.currentTarget.value })}
                  />
                  <div className={style.within}>
                    <Menu
                      entries={group.items}
                      path={`afterCommunityLinkGroups.${page.groups.indexOf(group)}.items`}
                      wrong={wrong}
                      onChange={(items) => alter({ items })}
                    />
                  </div>
                </>
              )}
            </EntryList>
          </FormSection>
        </>
      )}
    </SettingsPageForm>
  )
}
