package io.tidemark.ops;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Bans of Tidemark's own, over the text of every source file of every module, tests and benchmarks too.
 */
class TidyTest
{
    private static final List<String> MODULES = List.of("store", "ingest", "operator", "sink", "ops", "bench");
    private static final List<String> NOTHING = List.of();

    private static final Map<Path, String> TEXT_BY_FILE = new TreeMap<>();

    @BeforeAll
    static void readSources() throws IOException
    {
        final Path root = root();
        for (final String module : MODULES)
        {
            final Path sources = root.resolve(module).resolve("src");
            try (Stream<Path> files = Files.walk(sources))
            {
                for (final Path file : files.filter((f) -> f.toString().endsWith(".java")).toList())
                {
                    TEXT_BY_FILE.put(root.relativize(file), Files.readString(file));
                }
            }
        }
    }

    @Test
    void shouldSeeEveryModule()
    {
        for (final String module : MODULES)
        {
            assertTrue(TEXT_BY_FILE.keySet().stream().anyMatch((file) -> file.startsWith(module)), module);
        }
    }

    @Test
    void shouldLeaveNothingToDo()
    {
        // put together here, so that this file does not contain what it looks for
        assertEquals(NOTHING, find("\\b(TO" + "DO|FIX" + "ME|X" + "XX)\\b"));
    }

    @Test
    void shouldDisableNoTest()
    {
        assertEquals(NOTHING, find("@Dis" + "abled\\b"));
    }

    @Test
    void shouldNotSleepWhereWorkOrTimeCanBeWaitedFor()
    {
        assertEquals(NOTHING, find("\\bThread\\s*\\.\\s*sl" + "eep\\b"));
    }

    @Test
    void shouldNameTypesByTheirRole()
    {
        assertEquals(NOTHING, find("\\b(class|record|enum|interface)\\s+\\w*(Manager|Helper|Utils?|Impl)\\b"));
    }

    @Test
    void shouldTestEveryPackage()
    {
        final Pattern declaration = Pattern.compile("(?m)^package ([\\w.]+);");
        final Pattern mention = Pattern.compile("(?m)^(?:package|import(?: static)?) ([\\w.]+);");
        final List<String> tested = new ArrayList<>();
        TEXT_BY_FILE.forEach(
            (file, text) ->
            {
                if (isTest(file))
                {
                    mention.matcher(text).results().forEach((m) -> tested.add(m.group(1) + "."));
                }
            });

        final List<String> untested = new ArrayList<>();
        TEXT_BY_FILE.forEach(
            (file, text) ->
            {
                final Matcher matcher = declaration.matcher(text);
                if (!isTest(file) && !file.endsWith("package-info.java") && !file.startsWith("bench") &&
                    matcher.find() && tested.stream().noneMatch((t) -> covers(t, matcher.group(1))))
                {
                    untested.add(file.toString());
                }
            });
        assertEquals(NOTHING, untested, "packages that no test is in and none imports from");
    }

    private static boolean isTest(final Path file)
    {
        return file.subpath(1, file.getNameCount()).startsWith(Path.of("src", "test"));
    }

    /** A type's name starts with a capital letter, so that "a.b.C." is in package a.b and "a.b.c.D." is not. */
    private static boolean covers(final String mentioned, final String packageName)
    {
        if (!mentioned.startsWith(packageName + "."))
        {
            return false;
        }
        final String rest = mentioned.substring(packageName.length() + 1);
        return rest.isEmpty() || Character.isUpperCase(rest.charAt(0));
    }

    private static List<String> find(final String regex)
    {
        final Pattern pattern = Pattern.compile(regex);
        final List<String> found = new ArrayList<>();
        TEXT_BY_FILE.forEach(
            (file, text) ->
            {
                int line = 0;
                for (final String content : text.lines().toList())
                {
                    line++;
                    if (pattern.matcher(content).find())
                    {
                        found.add(file + ":" + line + ": " + content.strip());
                    }
                }
            });
        return found;
    }

    private static Path root()
    {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(directory.resolve("ops")) || !Files.isDirectory(directory.resolve("store")))
        {
            directory = directory.getParent();
        }
        return directory;
    }
}
