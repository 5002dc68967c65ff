package io.tidemark.ops.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

import io.tidemark.ingest.StreamSpec;
import io.tidemark.ingest.Topology;
import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Rule;
import io.tidemark.operator.spec.WatermarkSpec;
import io.tidemark.operator.worker.CheckpointSettings;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * From file to {@link Configuration} (INTERFACE.md, "Configuration"). Knows every setting, those of features that come
 * later too.
 */
public final class ConfigurationReader
{
    private static final long DEFAULT_MAX_ROWS = 10_000_000;
    private static final List<String> FIELDS = List.of(
        "stream", "partition", "kind", "id", "revision", "key", "time", "start", "end", "value", "arrival");

    private final Path file;
    private final Section root;
    private final Map<String, String> settings = new LinkedHashMap<>();

    private ConfigurationReader(final Path file, final Section root)
    {
        this.file = file;
        this.root = root;
    }

    /**
     * Reads and validates a file.
     *
     * @param file usually {@code tidemark.yaml}.
     * @return what it says.
     * @throws ConfigurationException naming file, line and setting.
     */
    public static Configuration read(final Path file)
    {
        final Path path = file.normalize();
        return new ConfigurationReader(path, new Section(path, "", compose(path))).read();
    }

    private static Node compose(final Path file)
    {
        try
        {
            final LoadSettings load = LoadSettings.builder().setLabel(file.toString()).build();
            return new Compose(load).composeString(Files.readString(file, StandardCharsets.UTF_8))
                .orElseThrow(() -> new ConfigurationException(
                    file + ": the file is empty; 'tidemark init DIR --rule interval-join' writes one to start from"));
        }
        catch (final NoSuchFileException e)
        {
            throw new ConfigurationException(file +
                ": no such file; name a configuration with -c, or write one with 'tidemark init DIR'", e);
        }
        catch (final IOException e)
        {
            throw new ConfigurationException(file + ": cannot be read (" + e + ")", e);
        }
        catch (final MarkedYamlEngineException e)
        {
            final String line = e.getProblemMark().map(mark -> ":" + (mark.getLine() + 1)).orElse("");
            throw new ConfigurationException(file + line + ": this is not YAML: " + e.getProblem(), e);
        }
        catch (final YamlEngineException e)
        {
            throw new ConfigurationException(file + ": this is not YAML: " + e.getMessage(), e);
        }
    }

    private Configuration read()
    {
        final Path directory = file.toAbsolutePath().getParent();
        final String pipeline = root.text("pipeline", "tidemark");
        final Path data = directory.resolve(root.text("data", "./data")).normalize();
        final int slots = (int)root.number("slots", 256, 1, 1 << 16);
        if (Integer.bitCount(slots) != 1)
        {
            throw root.error("slots", "must be a power of two, like 256, not " + slots);
        }
        final int workers = (int)root.number("workers", 1, 1, 1 << 10);
        if (workers > slots)
        {
            throw root.error("workers", "are " + workers + ", but there are only " + slots + " slots to share");
        }
        settings.put("slots", String.valueOf(slots));
        final OperatingSettings operating = OperatingSettings.read(root, DEFAULT_MAX_ROWS);
        root.know(List.of("rule", "streams", "watermark"));
        root.require("rule", "it says what is joined and how");
        root.require("streams", "it lists the inputs, like 'streams: {payments: {partitions: 2}}'");
        root.finish();

        final Map<String, Configuration.Columns> columns = new LinkedHashMap<>();
        final Section streams = root.section("streams");
        final Topology topology = topology(streams, columns);
        final RuleReader rule = RuleReader.read(root.section("rule"), streams, settings);
        final WatermarkSpec watermark = watermark(root.section("watermark"));
        final PipelineSpec spec = new PipelineSpec(
            topology, topology.streamIndex(rule.firstInput()), retained(rule.rule(), operating), watermark, slots,
            operating.maxRows());
        return new Configuration(
            file, pipeline, data, RuleTables.directory(data, settings.get(RuleTables.VERSION)), rule.type(), topology,
            spec, columns, workers, settings, operating.sink(), operating.unsafeRetentionNs() != OperatingSettings.SAFE,
            operating.repairHorizonNs(), checkpoints(operating.checkpoints()));
    }

    /** What is kept for less than it is needed makes other results, so the data remember it. */
    private Rule retained(final Rule rule, final OperatingSettings operating)
    {
        final long retentionNs = operating.unsafeRetentionNs();
        if (retentionNs == OperatingSettings.SAFE)
        {
            return rule;
        }
        if (rule instanceof final JoinRule join)
        {
            settings.put("retention.unsafe_override", Durations.format(retentionNs));
            return join.withRetention(retentionNs);
        }
        throw root.section("retention").error("unsafe_override", "belongs to joins; this rule makes sessions");
    }

    /** A checkpoint belongs to the settings that decide results, as text in one line. */
    private CheckpointSettings checkpoints(final CheckpointSettings read)
    {
        final StringJoiner madeWith = new StringJoiner("; ");
        settings.forEach((name, value) -> madeWith.add(name + "=" + value.strip()));
        return new CheckpointSettings(
            read.everyNs(), read.everyEvents(), read.keep(), read.syncs(), read.inBackground(), madeWith.toString());
    }

    private Topology topology(final Section streams, final Map<String, Configuration.Columns> columns)
    {
        final List<StreamSpec> specs = new ArrayList<>();
        for (final String name : streams.names())
        {
            final Section stream = streams.section(name);
            final int partitions = (int)stream.number("partitions", 1, 1, 10_000);
            try
            {
                specs.add(new StreamSpec(name, partitions));
            }
            catch (final IllegalArgumentException e)
            {
                throw streams.error(name, "cannot be a stream: " + e.getMessage());
            }
            settings.put("streams." + name + ".partitions", String.valueOf(partitions));
            final Section ingest = stream.section("ingest");
            columns.put(name, new Configuration.Columns(
                columns(ingest.section("columns")), ingest.texts("ignore", List.of())));
            ingest.finish();
            stream.finish();
        }
        return Topology.of(specs);
    }

    private static Map<String, String> columns(final Section section)
    {
        final Map<String, String> columns = new LinkedHashMap<>();
        section.know(FIELDS);
        section.finish();
        for (final String field : section.names())
        {
            columns.put(field, section.text(field, null));
        }
        return columns;
    }

    private WatermarkSpec watermark(final Section section)
    {
        final boolean keyScoped = section.choice("scope", "partition", List.of("partition", "key")).equals("key");
        final long delay = section.duration("delay", 0);
        final long idleAfter =
            section.durationOr("never", WatermarkSpec.NEVER, "idle_after", WatermarkSpec.NEVER);
        final long maxAhead =
            section.durationOr("off", WatermarkSpec.OFF, "max_ahead", WatermarkSpec.DEFAULT_MAX_AHEAD_NS);
        if (!keyScoped)
        {
            section.refuse("key_skew", "belongs to 'scope: key'; remove it, or set the scope");
        }
        if (keyScoped && !section.has("key_skew"))
        {
            section.know(List.of("key_skew"));
            section.finish();
            throw section.error("'watermark.scope: key' needs 'key_skew': how far a key may lag behind its stream");
        }
        final long keySkew = section.duration("key_skew", 0);
        section.finish();
        settings.put("watermark.scope", keyScoped ? "key" : "partition");
        settings.put("watermark.delay", Durations.format(delay));
        settings.put("watermark.idle_after",
            idleAfter == WatermarkSpec.NEVER ? "never" : Durations.format(idleAfter));
        settings.put("watermark.max_ahead", maxAhead == WatermarkSpec.OFF ? "off" : Durations.format(maxAhead));
        if (keyScoped)
        {
            settings.put("watermark.key_skew", Durations.format(keySkew));
        }
        return new WatermarkSpec(keyScoped, delay, idleAfter, maxAhead, keySkew);
    }
}
