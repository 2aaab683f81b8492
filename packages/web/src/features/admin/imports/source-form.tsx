import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { FormSection } from '../form-kit.tsx'
import style from './imports.module.css'
import { type Config, type Source, WITH_SITE } from './queries.ts'
import { SiteForm } from './site-form.tsx'
import { UploadedFiles } from './uploaded-files.tsx'

const WAYS = ['files', 'site'] as const

interface Props {
  readonly source: Source
  readonly config: Config
}

/** Where an import reads from: uploaded files or a site. */
export const SourceForm = ({ source, config }: Props) => {
  const { t } = useTranslation('imports')
  const [way, setWay] = useState<(typeof WAYS)[number]>(config.url ? 'site' : 'files')
  return (
    <FormSection title={t('source.title')} hint={t(`hint.${source}`)}>
      <div className={style.stack}>
        {WITH_SITE.has(source) && (
          <SegmentedControl
            label={t('source.title')}
            value={way}
            options={WAYS.map((value) => ({ value, label: t(`source.${value}`) }))}
            onChange={setWay}
          />
        )}
        {way === 'files' ? <UploadedFiles source={source} config={config} /> : <SiteForm source={source} config={config} />}
      </div>
    </FormSection>
  )
}
