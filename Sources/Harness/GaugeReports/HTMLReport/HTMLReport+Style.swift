extension HTMLReport {
    /// Colours that people with red-green colour blindness can distinguish (Okabe and Ito), lighter on a dark page.
    package static let style = """
        :root { color-scheme: light dark; --page: #fff; --text: #1c1f23; --quiet: #5d6670; --line: #d9dee3; --card: #f6f8fa;
          --bad: #a83f00; --good: #00694c;
          --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #b3569a; --c4: #9a7000; --c5: #2b88bd; --c6: #6b6b6b; --c7: #7a4fb5;
          --c8: #004d40; --c9: #8c2d04; --c10: #c2185b; --c11: #558b2f; }
        @media (prefers-color-scheme: dark) { :root { --page: #14171a; --text: #e6e9ec; --quiet: #9aa4ae; --line: #333a41;
          --card: #1c2024; --bad: #ff9248; --good: #2fd0a0; --c0: #56b4e9; --c1: #ff9248; --c2: #2fd0a0; --c3: #e59bcf; --c4: #f0c14b; --c5: #8fd3ff;
          --c6: #b5b5b5; --c7: #b79cf0; --c8: #80cbc4; --c9: #ffab91; --c10: #ff80ab; --c11: #c5e1a5; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 76rem; padding: 1rem; background: var(--page); color: var(--text);
          font: 16px/1.45 system-ui, sans-serif; }
        h1 { font-size: 1.6rem; margin: .5rem 0 1rem; } h2 { font-size: 1.25rem; margin: 2.2rem 0 .3rem; }
        h3 { font-size: .95rem; margin: 0 0 .2rem; overflow-wrap: anywhere; }
        section > p { color: var(--quiet); margin: .2rem 0 1rem; max-width: 46rem; }
        dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: .6rem 1rem; margin: 0;
          padding: .8rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
        dt { color: var(--quiet); font-size: .8rem; } dd { margin: 0; overflow-wrap: anywhere; }
        .warning { border-left: .25rem solid var(--c1); padding: .2rem .7rem; margin: .6rem 0; overflow-wrap: anywhere; }
        .plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); gap: 1rem; }
        .plots > :only-child { max-width: 38rem; }
        figure { margin: 0; padding: .7rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
        figcaption { font-weight: 600; overflow-wrap: anywhere; }
        figure svg { display: block; width: 100%; height: auto; }
        svg text { fill: var(--quiet); font: 11px system-ui, sans-serif; } svg text.y { text-anchor: end; }
        svg text.x { text-anchor: middle; } .grid { stroke: var(--line); }
        path { fill: none; stroke-width: 2; stroke-linejoin: round; }
        .legend { list-style: none; display: flex; flex-wrap: wrap; gap: .1rem .9rem; margin: .3rem 0 0; padding: 0;
          font-size: .85rem; }
        .legend li { overflow-wrap: anywhere; min-width: 0; }
        .legend svg { display: inline-block; width: 28px; height: 10px; margin-right: .35em; }
        nav { display: flex; flex-wrap: wrap; gap: .3rem 1rem; margin: 1rem 0; } a { color: inherit; }
        .c0 { --c: var(--c0); } .c1 { --c: var(--c1); } .c2 { --c: var(--c2); } .c3 { --c: var(--c3); }
        .c4 { --c: var(--c4); } .c5 { --c: var(--c5); } .c6 { --c: var(--c6); } .c7 { --c: var(--c7); }
        .c8 { --c: var(--c8); } .c9 { --c: var(--c9); } .c10 { --c: var(--c10); } .c11 { --c: var(--c11); }
        path { stroke: var(--c); } circle { fill: var(--c); } circle.ring { fill: none; stroke: var(--c); stroke-width: 1.8; }
        .ratios { columns: 2 26rem; column-gap: 2rem; } .case { break-inside: avoid; padding: .35rem 0 .6rem; }
        .bar { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 .6rem; font-size: .88rem; }
        .bar b { font-variant-numeric: tabular-nums; } .bar span { min-width: 0; overflow-wrap: anywhere; }
        .bar svg { grid-column: 1 / -1; width: 100%; height: .6rem; }
        .bar rect { fill: var(--c); } .bar rect.track { fill: var(--line); } .bar rect.one { fill: var(--text); }
        .bar rect.whisker, .slices rect.one { fill: var(--text); stroke: var(--page);
          stroke-width: 1px; paint-order: stroke; vector-effect: non-scaling-stroke; }
        .bar b { text-align: right; } .bar.slices svg { height: 1.6rem;
          border-bottom: 1px solid var(--line); margin-bottom: .5rem; }
        .axis { position: relative; height: 1.1em; color: var(--quiet); font-size: .72rem; }
        .axis span { position: absolute; white-space: nowrap; transform: translateX(-50%); } .axis span:first-child { transform: none; }
        .axis span:last-child { transform: translateX(-100%); }
        @media (max-width: 30rem) { .axis span:nth-last-child(2) { display: none; } }
        details { margin: .6rem 0; } summary { cursor: pointer; overflow-wrap: anywhere; } details dl { margin-top: .4rem; }
        .scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: .85rem; width: 100%;
          font-variant-numeric: tabular-nums; }
        th, td { padding: .25rem .5rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
        th:first-child { text-align: left; font-weight: 500; } thead th { color: var(--quiet); font-weight: 500; }
        .peer { color: var(--quiet); } .failed { text-align: left; color: var(--bad); white-space: normal; }
        .slower { color: var(--bad); font-weight: 600; } .faster { color: var(--good); font-weight: 600; }
        details.warning p { margin: .4rem 0 0; }
        @media (max-width: 40rem) { th:first-child { position: sticky; left: 0; background: var(--page);
          min-width: 9.5rem; max-width: 9.5rem;
          white-space: normal; overflow-wrap: anywhere; } }
        """
}
