import type { Topic } from '../../types.ts'
import { lines, words } from '../../words.ts'
import { typescriptCode } from './typescript-code.ts'

export const typescript: Topic = {
  key: 'typescript',
  language: 'en',
  virtual: true,
  code: typescriptCode,
  lists: {
    field: ['TypeScript'],
    thing:
      words(`discriminated unions, generics, branded types, strict mode, monorepos, type guards, template literal types, schema validation, ES modules,
      conditional types, project references, declaration files, satisfies, type-level tests, error handling, enums, mapped types, iterators, decorators, type stripping`),
    gear: words(
      `linter rule, code generator, build tool, type test, schema library, bundler, test runner, dev container, pre-commit hook, playground link, debugger setup, editor plugin`,
    ),
    problem:
      words(`circular imports, “possibly undefined” errors, slow type checking, an any that spreads, module resolution, flaky tests, mismatched lockfiles, unreadable error messages,
      null from the database, dates without a time zone, stale types from the API, huge bundles, excessive recursion depth, duplicate type definitions`),
    doing:
      words(`turning on strict mode file by file, deleting enums, writing type tests, replacing any with unknown, moving to ES modules, splitting the monorepo, narrowing by hand,
      generating types from the schema, reading compiler traces, pairing on reviews, upgrading the compiler, removing dead exports`),
    did: words(`turned on strict in a 200-file project, removed the last any, moved the whole repo to ES modules, cut the type check from 90 to 11 seconds, wrote my first type-safe router,
      deleted four thousand lines of generated code, replaced our hand-written types with a schema, published my first package, got rid of the build step,
      explained variance to the team without drawing a cat, fixed a race condition that was two years old, merged the big upgrade`),
    where: words(
      `in a large monorepo, in a legacy code base, on the server, in a library, in the browser, with a team of twelve, in a tiny side project, on CI, in library code that strangers use, in tests only`,
    ),
    goal: words(`make illegal states unrepresentable, type a function that takes a key and a value, keep types and database in sync, get readable compiler errors, share types between client and server,
      avoid casting everywhere, speed up the type check, test types, model money properly, type an event emitter, convince the team to use strict mode, migrate a JavaScript code base`),
  },
  cases: [
    {
      titles: lines(`
        Why does narrowing get lost inside a callback?
        Narrowing works, then not: what happens in the closure?
        “Object is possibly undefined” although I checked it`),
      story: lines(`
        I check a property for undefined, and on the next line, inside a \`map\` callback, TypeScript has forgotten about it. [No reassignment anywhere|Nothing changes it in between].
        In a function with {k=3-9} early returns everything narrows nicely, until I use the value in an arrow function. Then I get “possibly undefined” again.`),
      tried: lines(`
        A non-null assertion makes it quiet, but I do not want {k=3-9} of them in one file.
        Moving the check into the callback works and feels silly.`),
      ask: lines(`
        Why is that, and what is the idiomatic way?
        Am I missing a compiler option?`),
      answers: lines(`
        The callback might run later, when the property has changed. Copy it to a \`const\` first: a const cannot change, so the narrowing survives.
        Destructure at the top of the function. That solves 90 % of these.
        With \`let\` it is lost as soon as there is an assignment *anywhere* after. Newer compilers are cleverer about the last assignment, by the way.
        It is sound, and annoying, and both for the same reason.
        I would move the whole check into a small type guard and give it a name. Reads better, too.`),
    },
    {
      titles: lines(`
        Type check takes {k=40-180/5} seconds – where does the time go?
        How do you find out what makes the compiler slow?
        {k=40-180/5} s for a type check, is that normal?`),
      story: lines(`
        About {100-900} files, {2-6} packages, and \`tsc --noEmit\` takes {k=40-180/5} seconds {where}. [The editor lags too.|In the editor it is bearable.]
        Since we [upgraded a form library|added a query builder|introduced a schema library] the check has gone from {9-30} to {k=40-180/5} seconds.`),
      tried: lines(`
        \`--extendedDiagnostics\` says nearly all of it is check time, with {2-9} million instantiations.
        \`skipLibCheck\` is on already. Incremental helps locally, not on CI.`),
      ask: lines(`
        How do I find the guilty type?
        Do project references help, or only move the problem?`),
      answers: lines(`
        \`--generateTrace\` and look for the widest bars. In our case one recursive type made up 70 %.
        Annotate return types of exported functions. It saves the compiler from inferring the same monster again and again.
        Interfaces with extends are cached, big intersections are not. Changing {2-6} of those halved our time.
        Look for a union with hundreds of members. Checking two of them against each other is quadratic.
        Have you tried the native compiler? We went from {k=40-180/5} to about a tenth without changing a line.
        References help if the packages really are layered. Ours were spaghetti, so they did not.`),
    },
    {
      titles: lines(`
        Enums or union of literals?
        Should we replace {k=20-200/10} enums?
        Is there still a reason to use enums?`),
      story: lines(`
        Our code base has {k=20-200/10} enums, and with type stripping they no longer run. A colleague wants to convert all of them to unions, another one says [never touch a running system|that they are fine].
        I am [writing|reviewing] a style guide for a team of {4-15}, and enums are the point where we [got stuck|keep arguing].`),
      ask: lines(`
        What do you use today?
        Anything that breaks when we replace them?`),
      answers: lines(`
        An \`as const\` object plus a union of its values. You keep \`Color.Red\` at the call sites and nothing is emitted that you did not write.
        Unions. Autocomplete is the same, the JSON is readable, and no import needed.
        Watch out for numeric enums that are stored in the database. That is the only part that bit us.
        There is a codemod for it, took us one afternoon for {k=20-200/10} of them, plus a day of review.
        Keep them where they do no harm. Consistency within a file matters more than the fashion of the year.`),
    },
    {
      titles: lines(`
        How do you validate what comes over the wire?
        Types at runtime: schema first or types first?
        Trusting \`response.json()\` – how careful are you?`),
      story: lines(`
        We have about {20-120} endpoints with hand-written types. {Time*} a field became nullable on the server and we noticed [in production|two weeks later]. \`as User\` is a lie, basically.
        I would like one source of truth from which I get the TypeScript type, the validation and the docs, {where}.`),
      tried: lines(`
        Tried a schema library in {2-6} modules. Nice, but the inferred types in error messages are [a wall of text|unreadable].
        Generating from OpenAPI works, as long as the document is correct, which it is not.`),
      ask: lines(`
        Where do you validate: everywhere, or at the edge only?
        Schema first or types first?`),
      answers: lines(`
        At the edge, once, and unknown inside of that function. Everything behind it may trust the types.
        Schema first. Types are derived, never the other way round.
        For internal services we only validate in tests, against recorded answers. Cheap and has found a lot.
        Name the inferred type with an interface that extends it, the error messages become readable at once.
        Do validate responses as well, at least in staging. That nullable field would have shown up within the hour.`),
    },
    {
      titles: lines(`
        Best way to model {k=3-6} states of a request?
        Too many optional properties in one type
        \`isLoading\`, \`error\`, \`data\`: there must be a better way`),
      story: lines(`
        I have inherited a type with {7-22} optional properties. In practice there are {k=3-6} combinations that make sense, but the type allows [thousands|all of them].
        Every component checks \`data && !error && !isLoading\`, each one [a bit differently|with another bug].`),
      ask: lines(`
        How would you model it?
        Can I migrate step by step?`),
      answers: lines(`
        Discriminated union, one member per state, with a \`status\` field. The compiler then shows you each place that forgot a case.
        Write down the {k=3-6} states on paper first. The types follow by themselves.
        Add the union next to the old type and a function that converts. Move the callers one by one, delete the old one last.
        And a \`never\` check in the default branch, so that the next state cannot be forgotten.
        Do not overdo it. For a form with three flags I would leave it alone.`),
    },
  ],
  shows: lines(`
    {300-4000} files changed, {0-3} bugs found on the way that had been live for years.
    The error went from {14-40} lines of generics to one sentence that a human can read.
    CI went from {5-25/5} minutes to {3-7}. Most of it was a single misconfigured cache.
    The diff is minus {800-6000} lines. I have never enjoyed a review that much.
    It needed {2-5} pull requests, one revert and a long talk about naming.
    We found {8-60} places where null was possible all along. Two of them explain old tickets.
    The public API has not changed at all, which was the hard part.
    I wrote the tests first this time, and for once it paid off on the very same day.`),
  details: lines(`
    Compiler 7, strict, no build step, Node runs the files directly.
    The trick was to go leaf by leaf, starting with modules that nobody imports from.
    We kept a list of every suppressed error with a name next to it, and the list got shorter each week.
    No new dependency was needed, to my own surprise.
    The linter does most of the policing now.
    All exported functions have explicit return types since then.
    I left \`any\` in two places, with a comment that says why.
    Performance is the same within noise, I measured it {3-9} times.`),
  tips: lines(`
    Turn on noUncheckedIndexedAccess early, it only gets more expensive.
    Prefer unknown to any, and narrow where you use it.
    Give exported functions an explicit return type.
    Use satisfies to check a literal without losing its exact type.
    Put the discriminant first in every union member, people read from the top.
    Write the type of the data before the function that works on it.
    Avoid boolean parameters; a union of two words reads better at the call site.
    Never cast in the middle of a function, only at the edges.
    Let a failing never assignment remind you of the case you forgot.
    Keep types next to the code that owns them instead of in one types file.
    Test types with a few lines of ts-expect-error.
    Upgrade the compiler alone, never together with anything else.
    Read the error from the last line upwards.
    A readonly array in the signature costs nothing and prevents a lot.`),
  opinions: lines(`
    Clever types are a liability. If a colleague needs ten minutes for a type, a runtime check would have been cheaper.
    Most generics with more than two parameters want to be two functions.
    A type assertion is a comment that the compiler believes.
    We should teach unions before classes.
    Optional properties are the new null.
    Tests and types overlap less than people think: types check what cannot be, tests check what is.
    The best migration is the one that nobody notices.
    Dependency injection containers solve a problem that functions with parameters do not have.
    Strict mode is not a burden, it is the cheapest reviewer you can hire.
    Code generation is fine as long as nobody has to read the output.`),
  replies: lines(`
    Do you have a playground link? Hard to see without the types.
    Which compiler version? That changed not long ago.
    That would not pass with exactOptionalPropertyTypes, careful.
    Interesting, we solved it with a branded type instead.
    I would reach for \`satisfies\` here.
    Does it still infer properly when the argument is generic?
    My first thought was an overload, but yours is simpler.
    Have you measured that? My numbers look different.
    For a library I would not do that, it ends up in everybody’s error messages.
    A plain function and two lines of code would do the same, no?
    Please do not, I have had to maintain something like this 😅
    Stolen for our style guide, thanks.
    Works here, {where*}, since {span*}.`),
  polls: [
    {
      question: 'Interfaces or type aliases?',
      options: [
        'interface wherever possible',
        'type for everything',
        'interface for objects, type for the rest',
        'Whatever the linter says',
      ],
    },
    {
      question: 'How strict is your tsconfig?',
      options: ['strict, and every extra flag', 'strict', 'Half of it', 'We do not talk about it'],
    },
    {
      question: 'What do you use to run TypeScript in development?',
      options: ['Node’s type stripping', 'A bundler in watch mode', 'A loader', 'tsc, then node'],
    },
    { question: 'Tabs, spaces or do not care?', options: ['Tabs', 'Two spaces', 'Four spaces', 'The formatter decides'] },
  ],
  resources: [
    ['Types as documentation', 'how to name things so that the hover text is enough'],
    ['A tour of the checker', 'what the compiler does between parse and emit'],
    ['Parse, don’t validate, in practice', 'with a code base that is not a toy'],
    ['Variance for the rest of us', 'finally without category theory'],
    ['Monorepos that build in a minute', 'layering, caching and what not to do'],
    ['The cost of clever types', 'measured in seconds and in reviews'],
    ['Error handling without exceptions', 'an honest account after two years'],
    ['From JavaScript to strict in forty steps', 'a migration diary'],
  ],
}
