import type { Topic } from '../../types.ts'
import { lines, words } from '../../words.ts'

export const woodworking: Topic = {
  key: 'woodworking',
  language: 'en',
  lists: {
    field: ['woodworking'],
    thing: words(
      `hand-cut dovetails, mortise and tenon joints, oil finishes, sharpening, workbench building, wood movement, veneers, green woodworking, hand planes, spoon carving, cheap pine, dust collection, panel glue-ups, Japanese saws, chairs, small boxes, turning bowls, salvaged timber`,
    ),
    wood: words(`oak, ash, walnut, pine, beech, cherry, larch, maple, birch, elm, douglas fir, apple`),
    gear: words(
      `marking gauge, block plane, dovetail saw, workbench, router, track saw, card scraper, shop vacuum, set of chisels, waterstone, shooting board, bandsaw, moisture meter, spokeshave, combination square, pair of holdfasts`,
    ),
    problem: words(
      `tear-out, gappy joints, cupped boards, blotchy stain, glue squeeze-out, a wobbling table, dust everywhere, chipped chisels, snipe, sticking drawers, a bench that walks, racked cabinets, wet timber`,
    ),
    doing: words(
      `sharpening before every session, flattening the bench, cutting test joints, oiling, planing by hand, building from scraps, milling my own boards, making jigs, sweeping up, carving spoons on the porch, drawing full scale, fitting drawers`,
    ),
    did: words(
      `finished the workbench, cut my first decent dovetails, built a bed for my daughter, restored a rusty plane, made a chair that holds, turned a bowl from the fallen cherry, fitted drawers without slop, built a shelf without a single screw, made twelve spoons for twelve friends, glued myself to a clamp, sold a table, hung the door`,
    ),
    where: words(
      `in a garage, on a balcony, in a shared workshop, in a cellar with low ceiling, with hand tools only, in an unheated shed, in a rented flat, on the kitchen table, with one clamp too few, outdoors`,
    ),
    goal: words(
      `cut square by hand, get a finish without blotches, flatten a wide board, sharpen a chisel properly, fit a drawer, work without annoying the neighbours, allow for wood movement, build a bench on a budget, choose a first plane, glue up a table top alone, keep rust away, hang a cabinet straight`,
    ),
  },
  cases: [
    {
      titles: lines(`
        Table top cupped by {k=3-12} mm
        My {wood} table top has cupped
        {Wood} panel bends – what did I do wrong?`),
      story: lines(`
        I glued up a table top from {4-9} {wood} boards, flat as a mirror. After {2-8} weeks in the living room it has cupped by {k=3-12} mm.
        The {wood} was “dry” according to the seller. Two weeks of heating later the top is a [bowl|skateboard ramp]: {k=3-12} mm across {60-90} cm.`),
      tried: lines(`
        Turned it over and put paint tins on it. Better for a week.
        The underside is unfinished, I ran out of oil.`),
      ask: lines(`
        Can I save it?
        What do I do next time?`),
      answers: lines(`
        Finish both sides the same. The raw side takes up moisture and the oiled one does not.
        Let the wood stand in the room for three weeks before you touch it. I write the date on the end.
        Slotted screws or buttons on the underframe, never glue. Then pull it flat with battens.
        {k=3-12} mm you can still plane out if it is thick enough. Wait until it has settled, though.
        Measure the moisture. “Dry” outdoors is 15 %, your living room wants 8.
        Bark side up or down, that discussion has no end. Let it move, that is the whole trick.`),
    },
    {
      titles: lines(`
        How sharp is sharp?
        Chisel will not cut end grain
        Sharpening: {k=2-5} stones later, still blunt`),
      story: lines(`
        I own {k=2-5} stones, a guide, and a strop, and my chisel still crushes {wood} end grain. It shaves my arm, barely, {where*}.
        {Span} of sharpening, and I get an edge that lasts for {2-6} cuts. Then it is back to pushing.`),
      ask: lines(`
        What am I missing?
        Which angle, and how do you know that you are done?`),
      answers: lines(`
        The burr. You have to feel it along the whole edge before you change to the next stone. Most people stop too early.
        Flatten the back! Only the last centimetre, but that like a mirror.
        Your stones are hollow, I bet. Draw a pencil grid on them and rub it off on a flat plate.
        30 degrees, a strop with compound, ten strokes. Do it often instead of doing it long.
        Buy one cheap chisel and one good one, sharpen both, and see which stays sharp. It may be the steel.
        Paint the bevel with a felt pen. You see at once where you really grind.`),
    },
    {
      titles: lines(`
        Workbench for {k=80-400/20} €?
        First bench: what can I leave out?
        Building a bench {where}`),
      story: lines(`
        I need a bench that does not walk, {where}. Budget {k=80-400/20}, tools: {a gear}, {a gear2}, goodwill. Most plans start with “take {120-300/10} kg of {wood}”.
        My bench is a door on trestles. It does what it wants. For {k=80-400/20} there must be something better.`),
      ask: lines(`
        Which dimension matters most?
        Vice or no vice?`),
      answers: lines(`
        Construction timber, laminated on edge. Mine was {k=80-400/20} with glue, and it weighs as much as I do.
        Height: where your wrist is when you stand straight. Everything else is taste.
        No vice at first. Holdfasts and a planing stop do nearly all of it.
        Screw it to the wall. Nobody says so, it is the cheapest kilo you can add.
        Thick top, wide legs, low stretcher full of bricks.
        Do not spend two years on it. Build it ugly and build furniture on it.`),
    },
    {
      titles: lines(`
        Oil on {wood} looks blotchy
        Which finish for {a wood} [table|worktop|desk] with children?
        Finish that survives {k=2-5} kids`),
      story: lines(`
        The piece is {wood}, sanded to [120|180|240], and will be used by {k=2-5} children with felt pens. I would like something that can be repaired.
        First coat of oil on {wood}: patches, dark here, light there. It looked perfect when it was dry.`),
      ask: lines(`
        Oil, hard wax, varnish?
        Can I still rescue the first coat?`),
      answers: lines(`
        Hard wax oil, two thin coats, and a third one every second year. Felt pen comes off with a bit of soap.
        Blotches come from sanding unevenly. Back to 120, then by hand with the grain, last grit the same everywhere.
        Wipe it off after ten minutes. What stays on top gets sticky and grey.
        Varnish for a table with {k=2-5} kids, oil for your nerves. You can repair oil on a Sunday.
        Test on an offcut, the same one, sanded in the same way. I never do it and always regret it.
        And hang the oily rags outside! They can catch fire by themselves.`),
    },
  ],
  shows: lines(`
    {Wood}, {18-60} hours, {3-9} sharpenings, one plaster.
    The gap on the left is filled with a shaving and a prayer. Do not zoom in.
    No power tools, apart from the radio.
    It holds {60-110/10} kilos, I tested it by jumping.
    The wood comes from a tree that came down in the storm {2-6} years ago.
    Drawers close with a puff of air, I have opened them forty times today.
    The plan was three weekends. That was {span} ago.
    My father would have said “it will do”, which was his highest praise.`),
  details: lines(`
    All joints are glued, no screws, and one hidden wedge.
    The finish is {2-4} coats of oil and a bit of wax.
    I cut the tails first and marked the pins from them.
    The top is {22-45} mm thick and stays where it is.
    The {gear} was second-hand and needed an evening of love.
    Half of the time went into making the legs meet the floor.
    Mistakes: {2-9}. Visible ones: I will not say.
    The boards came from an old church bench.`),
  tips: lines(`
    Sharpen before you need to.
    Mark with a knife, not with a pencil.
    Cut the joint to the line and not to the plan.
    Dry-fit everything, then get the clamps, then open the glue.
    Plane in the direction in which you would stroke a cat.
    Finish both sides of a board.
    Number your parts on a face that will not show.
    Buy wood first and draw the plan afterwards.
    Put wax on the sole of the plane.
    Leave the line, you can always take off more.
    Sweep up before you look for the lost screw.
    Two squares: one you use and one you trust.
    Never glue a table top to its frame.
    Stop when you are tired, you have ten fingers for a reason.`),
  opinions: lines(`
    Pine is a wonderful wood that nobody respects.
    A shop full of jigs is a shop without furniture.
    Pocket screws are fine, relax.
    Sandpaper is a confession that the plane was blunt.
    You learn more from one chair than from ten boxes.
    Cheap chisels are good enough for the first five years.
    Epoxy rivers will be the avocado bathrooms of our time.
    Old tools are not better, only the good ones survived.
    Plans are for people who have the same wood as the author.
    A bench can never be too heavy.`),
  replies: lines(`
    Those joints are tight! Which saw?
    How did you keep it flat during the glue-up?
    {Wood*} next time? It would suit the shape.
    What finish is that? The colour is beautiful.
    A bit of card scraper and the tear-out is gone.
    You can never have too many clamps. Ask me how I know.
    How much does it weigh?
    I like that you left the saw marks.
    Did you allow for movement at the ends?
    My first one looked like firewood, so: chapeau.
    Is that bench screwed to the wall?
    Show us the underside, that is where the truth is.`),
  polls: [
    {
      question: 'Hand tools or machines?',
      options: ['Hand tools only', 'Machines for the rough work', 'Machines for everything', 'Whatever is plugged in'],
    },
    { question: 'Favourite wood to work?', options: ['Oak', 'Walnut', 'Cherry', 'Pine, no shame', 'Ash', 'Whatever was free'] },
    { question: 'How many clamps do you have?', options: ['Under 10', '10 to 30', 'More', 'Too few, like everyone'] },
  ],
  resources: [
    ['The joint book', 'sixty joints and when not to use them'],
    ['Sharpening with one stone', 'less is more, with microscope pictures'],
    ['Wood moves, get used to it', 'the tables and the reasons'],
    ['A bench in a weekend', 'construction timber, no vice'],
    ['Chairs from green wood', 'an axe, a knife, a fire'],
    ['Finishes compared after ten years', 'the same oak board, cut into twelve'],
    ['Quiet workshop', 'for people with neighbours'],
    ['Repairing other people’s drawers', 'a restorer tells'],
  ],
}
