import style from './error-message.module.css'

/** The error of an action, shown next to it. */
export const ErrorMessage = ({ children }: { readonly children: string | null | undefined }) =>
  children ? (
    <p className={style.refusal} role="alert">
      {children}
    </p>
  ) : null
